import { useEffect, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { HttpIcon, StdioIcon } from "../../components/icons";
import { MOD } from "../../components/keys";
import { Segments } from "../../components/Segments";
import { Visible } from "../../components/Visible";
import type { Backend } from "../../ipc/backend";
import type { AppStore } from "../../model/appStore";
import { words } from "../../model/errors";
import { draftOf, type Reach, retarget, type Typed, targetOf, typedOf } from "../../model/serverDraft";
import { HeaderRows } from "./HeaderRows";
import css from "./Servers.module.css";

/** A server, new or changed, by its command line or its URL. */
export function ServerForm({ app }: { app: AppStore }) {
	const server = app.editing;
	const [typed, setTyped] = useState(() => typedOf(server));
	const [failure, setFailure] = useState<string | null>(null);
	const input = useRef<HTMLInputElement>(null);
	useEffect(() => input.current?.focus(), []);
	const http = typed.reach === "http";
	const { argv, problem } = useArgv(app.backend, http ? "" : typed.line);
	const change = (next: Typed) => {
		setFailure(null);
		setTyped(next);
	};

	const save = async (connect: boolean) => {
		setFailure(null);
		try {
			const saved = await app.saveServer(draftOf(typed, server));
			if (connect) await app.connect(saved.id);
		} catch (error) {
			setFailure(words(error));
			input.current?.focus();
		}
	};
	const empty = targetOf(typed).trim() === "";
	const wrong = failure ?? problem;
	return (
		<form
			className={css.add}
			aria-label={server ? "Edit server" : "Add server"}
			onSubmit={(event) => {
				event.preventDefault();
				if (!empty) void save(true);
			}}
			onKeyDown={(event) => {
				if (event.key === "Escape") app.setAdding(false);
				if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !empty) void save(true);
			}}
		>
			<div className={css.fields}>
				<span className={css.label}>Transport</span>
				<Segments<Reach>
					large
					label="Transport"
					value={typed.reach}
					onChange={(reach) => change({ ...typed, reach })}
					options={[
						{ value: "stdio", label: "stdio", icon: StdioIcon, testId: TESTID.transportStdio },
						{ value: "http", label: "Streamable HTTP", icon: HttpIcon, testId: TESTID.transportHttp },
					]}
				/>
				<label htmlFor="add-line">{http ? "URL" : "Command line"}</label>
				<div>
					<span className={`fld ${wrong !== null ? "bad" : ""}`}>
						<input
							id="add-line"
							ref={input}
							value={targetOf(typed)}
							placeholder={http ? "http://127.0.0.1:3000/mcp" : "npx -y @scope/server --flag"}
							spellCheck={false}
							autoComplete="off"
							data-testid={TESTID.addServerInput}
							onChange={(event) => change(retarget(typed, event.target.value))}
						/>
					</span>
					{!http && <Argv words={argv} />}
					{wrong !== null && (
						<p className={`sev-error ${css.hint}`} role="alert">
							{wrong}
						</p>
					)}
					{http ? <UrlHint /> : <CommandHint />}
				</div>
				{http && (
					<>
						<span className={css.label}>Headers</span>
						<div>
							<HeaderRows headers={typed.headers} onChange={(headers) => change({ ...typed, headers })} />
							<p className={css.hint}>
								Sent with every request. Values are kept as typed: keep a secret out of them by writing{" "}
								<code>$&#123;NAME&#125;</code>, which takes that variable of this app’s environment when it
								connects. In the log, values of <code>authorization</code>, <code>cookie</code> and{" "}
								<code>x-api-key</code> are masked.
							</p>
						</div>
					</>
				)}
				<label htmlFor="add-name">Name</label>
				<span className="fld ui">
					<input
						id="add-name"
						value={typed.name}
						placeholder={http ? "made from the URL" : "made from the command"}
						spellCheck={false}
						autoComplete="off"
						data-testid={TESTID.addServerName}
						onChange={(event) => change({ ...typed, name: event.target.value })}
					/>
				</span>
			</div>
			<footer className={css.foot}>
				<button type="submit" className="btn pri" disabled={empty} data-testid={TESTID.addServerConnect}>
					{server ? "Save and connect" : "Connect"} <kbd>{MOD} ↵</kbd>
				</button>
				<button
					type="button"
					className="btn"
					disabled={empty}
					data-testid={TESTID.addServerSave}
					onClick={() => void save(false)}
				>
					Save
				</button>
				<button type="button" className="btn ghost" onClick={() => app.setAdding(false)}>
					Cancel <kbd>Esc</kbd>
				</button>
			</footer>
		</form>
	);
}

/** The words that the server will be started with. */
function Argv({ words }: { words: readonly string[] }) {
	return (
		<div className={css.argv}>
			{words.map((word, i) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a word's place is its identity
				<span key={i} className="chip" data-testid={TESTID.argvChip}>
					<span className="n">{i}</span>
					<span className="trunc">{word === "" ? '""' : <Visible text={word} />}</span>
				</span>
			))}
		</div>
	);
}

function CommandHint() {
	return (
		<p className={css.hint}>
			Started directly, without a shell: <code>$HOME</code>, <code>~</code> and <code>|</code> are not
			expanded; <code>$&#123;NAME&#125;</code> takes a variable of the environment.
		</p>
	);
}

function UrlHint() {
	return (
		<p className={css.hint}>
			The server’s MCP endpoint, <code>http://</code> or <code>https://</code>. Each request is a POST to it.
		</p>
	);
}

/** The words of a command line as the host will split it; the old ones stay while it is asked. */
function useArgv(backend: Backend, line: string): { argv: string[]; problem: string | null } {
	const [state, setState] = useState<{ argv: string[]; problem: string | null }>({ argv: [], problem: null });
	useEffect(() => {
		if (line.trim() === "") {
			setState({ argv: [], problem: null });
			return;
		}
		let live = true;
		backend
			.call("split_command_line", { text: line })
			.then((argv) => live && setState({ argv, problem: null }))
			.catch((error: unknown) => live && setState((old) => ({ ...old, problem: words(error) })));
		return () => {
			live = false;
		};
	}, [backend, line]);
	return state;
}
