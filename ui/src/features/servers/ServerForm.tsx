import { useEffect, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { copyText } from "../../components/clipboard";
import { Icon } from "../../components/Icon";
import { DoctorIcon, HttpIcon, SseIcon, StdioIcon } from "../../components/icons";
import { MOD, useKeys } from "../../components/keys";
import { Segments } from "../../components/Segments";
import { useStore } from "../../components/useStore";
import type { ServerRow } from "../../ipc/bindings/ServerRow";
import type { TransportName } from "../../ipc/bindings/TransportName";
import { type AppStore, isUp } from "../../model/appStore";
import { words } from "../../model/errors";
import { draftOf, isDirty, retarget, type Typed, targetOf, waitsAreRight } from "../../model/serverDraft";
import { AuthPane } from "../auth/AuthPane";
import { CommandField } from "./CommandField";
import { DoctorPane } from "./DoctorPane";
import { doctorSignIn } from "./doctorSignIn";
import { FolderField } from "./FolderField";
import { PastePane } from "./PastePane";
import { CaField, EraField, ReconnectField, TimeoutField } from "./ProtocolFields";
import { SecretNote } from "./SecretNote";
import css from "./ServerForm.module.css";
import { ValueTable } from "./ValueTable";
import { WaitFields, WatchField } from "./WatchFields";

const TRANSPORTS = [
	{ value: "stdio", label: "stdio", icon: StdioIcon, testId: TESTID.transportStdio },
	{ value: "http", label: "Streamable HTTP", icon: HttpIcon, testId: TESTID.transportHttp },
	{ value: "sse", label: "legacy SSE", icon: SseIcon, testId: TESTID.transportSse },
] as const;

/** A server, new or changed: how it is reached, with what, and how it is spoken to. */
export function ServerForm({ app }: { app: AppStore }) {
	useStore(app);
	useStore(app.forms);
	useStore(app.doctor);
	const server = app.editing;
	const typed = app.forms.of(server);
	const [failure, setFailure] = useState<string | null>(null);
	const input = useRef<HTMLInputElement>(null);
	useEffect(() => input.current?.focus(), []);

	const change = (next: Typed) => {
		setFailure(null);
		app.forms.set(server, next);
	};
	const target = (text: string) => {
		// JSON is no command line: it goes where it can be read.
		if (!server && /^\s*\{/.test(text)) app.forms.paste(text);
		else change(retarget(typed, text));
	};
	const ready = targetOf(typed).trim() !== "" && waitsAreRight(typed);
	const save = async (connect: boolean) => {
		if (!ready) return;
		setFailure(null);
		try {
			const saved = await app.saveServer(draftOf(typed, server));
			if (connect) await app.restart(saved.id);
		} catch (error) {
			setFailure(words(error));
			input.current?.focus();
		}
	};
	const examine = () => {
		if (ready) app.examine(server);
	};
	const examined = app.doctor.of === (server?.id ?? null);
	const signs = useAuth(app, server);
	const secrets = useStore(app.secrets);
	const http = typed.reach !== "stdio";
	const values = http ? typed.headers : typed.env;
	return (
		<div className={css.page}>
			<form
				className={css.form}
				aria-label={server ? "Edit server" : "Add server"}
				onSubmit={(event) => {
					event.preventDefault();
					void save(true);
				}}
				onKeyDown={(event) => {
					if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
					event.preventDefault();
					void save(true);
				}}
			>
				<div className={css.fields}>
					<section>
						<label htmlFor="server-name">Name</label>
						<span className="fld ui">
							<input
								id="server-name"
								value={typed.name}
								placeholder={http ? "made from the URL" : "made from the command"}
								spellCheck={false}
								autoComplete="off"
								data-testid={TESTID.addServerName}
								onChange={(event) => change({ ...typed, name: event.target.value })}
							/>
						</span>
						<span>Transport</span>
						<Segments<TransportName>
							large
							label="Transport"
							value={typed.reach}
							onChange={(reach) => change({ ...typed, reach })}
							options={TRANSPORTS}
						/>
					</section>
					<section>
						<label htmlFor="server-target">{http ? "URL" : "Command line"}</label>
						<CommandField
							backend={app.backend}
							input={input}
							url={http}
							text={targetOf(typed)}
							onText={target}
							failure={failure}
						/>
						{!http && <FolderField typed={typed} onChange={change} />}
					</section>
					<section>
						<span>{http ? "Headers" : "Environment"}</span>
						<div>
							<ValueTable
								key={typed.reach}
								what={http ? "header" : "variable"}
								values={values}
								onChange={(next) => change(http ? { ...typed, headers: next } : { ...typed, env: next })}
								store={secrets.row}
								reveal={(name) =>
									app.backend.call("reveal_secret", {
										server: server?.id ?? "",
										part: http ? "header" : "env",
										name,
									})
								}
							/>
							<p className={css.hint}>
								{http ? "Sent with every request. " : "Set in addition to the environment of this app. "}
								<code>$&#123;NAME&#125;</code> in a value takes a variable of this app’s environment.
							</p>
							<SecretNote store={app.secrets} secrets={values.filter((value) => value.secret).length} />
						</div>
					</section>
					<section>
						<span>Protocol</span>
						<EraField typed={typed} onChange={change} />
						<label htmlFor="server-timeout">Time-out</label>
						<TimeoutField typed={typed} onChange={change} />
						<WaitFields typed={typed} onChange={change} />
						<span>Connection</span>
						<ReconnectField typed={typed} onChange={change} />
						{http && <CaField typed={typed} onChange={change} />}
						<WatchField typed={typed} onChange={change} />
					</section>
				</div>
				<Footer
					app={app}
					server={server}
					typed={typed}
					ready={ready}
					onSave={() => void save(false)}
					onExamine={examine}
				/>
			</form>
			{!examined && !server && <PastePane app={app} />}
			{(examined || signs) && (
				<div className={css.side}>
					{examined && (
						<DoctorPane
							app={app}
							onRun={examine}
							onSignIn={doctorSignIn(app, server, typed, setFailure)}
							onClose={() => app.doctor.close()}
						/>
					)}
					{signs && server && <AuthPane key={server.id} app={app} server={server} />}
				</div>
			)}
		</div>
	);
}

/** Whether somebody can sign in to a server. */
function useAuth(app: AppStore, server: ServerRow | null): boolean {
	const auth = useStore(app.auth);
	const id = server && server.transport !== "stdio" ? server.id : null;
	useEffect(() => {
		if (id !== null) void auth.read(id);
	}, [auth, id]);
	return id !== null && auth.of(id)?.applies === true;
}

interface FooterProps {
	app: AppStore;
	server: ServerRow | null;
	typed: Typed;
	ready: boolean;
	onSave: () => void;
	/** Runs the connection doctor. */
	onExamine: () => void;
}

function Footer({ app, server, typed, ready, onSave, onExamine }: FooterProps) {
	const [asking, setAsking] = useState(false);
	const leave = () => {
		app.forms.drop(server?.id ?? null);
		app.show("session");
	};
	const cancel = () => (isDirty(typed, server) ? setAsking(true) : leave());
	useKeys({
		Escape: () => {
			if (asking) setAsking(false);
			else cancel();
			return true;
		},
	});
	if (asking) {
		return (
			<footer className={css.foot} role="alert">
				<span>Discard what you typed?</span>
				<button type="button" className="btn danger" data-testid={TESTID.discard} onClick={leave}>
					Discard
				</button>
				{/* biome-ignore lint/a11y/noAutofocus: the question was asked by a key; the harmless answer has it */}
				<button type="button" className="btn" autoFocus onClick={() => setAsking(false)}>
					Go on typing <kbd>Esc</kbd>
				</button>
			</footer>
		);
	}
	const up = server?.session && isUp(server.session);
	return (
		<footer className={css.foot}>
			<button type="submit" className="btn pri" disabled={!ready} data-testid={TESTID.addServerConnect}>
				{up ? "Save and restart" : "Connect"} <kbd>{MOD} ↵</kbd>
			</button>
			<button
				type="button"
				className="btn"
				disabled={!ready}
				title={up ? "Takes effect when it is started next" : undefined}
				data-testid={TESTID.addServerSave}
				onClick={onSave}
			>
				Save
			</button>
			{!server?.unconfirmed && (
				<button
					type="button"
					className="btn"
					disabled={!ready}
					title="Connects step by step, says what is wrong, and saves nothing"
					data-testid={TESTID.doctorRun}
					onClick={onExamine}
				>
					<Icon of={DoctorIcon} small />
					Doctor
				</button>
			)}
			<button type="button" className="btn ghost" onClick={cancel}>
				Cancel <kbd>Esc</kbd>
			</button>
			<span className="grow" />
			{server && <CopyAsJson app={app} server={server} />}
		</footer>
	);
}

/** A saved server in the shape of other clients' files. */
function CopyAsJson({ app, server }: { app: AppStore; server: ServerRow }) {
	const [said, setSaid] = useState<string | null>(null);
	const copy = async () => {
		try {
			await copyText(await app.backend.call("copy_mcp_servers", { servers: [server.id] }));
			setSaid("Copied, as saved");
		} catch (error) {
			setSaid(words(error));
		}
	};
	return (
		<>
			<span className="dim xs trunc" role="status">
				{said}
			</span>
			<button type="button" className="btn ghost" data-testid={TESTID.copyAsJson} onClick={() => void copy()}>
				Copy as mcpServers JSON
			</button>
		</>
	);
}
