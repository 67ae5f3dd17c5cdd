import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { useStore } from "../../components/useStore";
import type { Backend } from "../../ipc/backend";
import type { HostServers } from "../../ipc/bindings/HostServers";
import type { PastedServer } from "../../ipc/bindings/PastedServer";
import type { AppStore } from "../../model/appStore";
import { words } from "../../model/errors";
import { plural } from "../../model/format";
import { draftOfPasted } from "../../model/serverDraft";
import { visible } from "../../model/visible";
import { Facts } from "./Facts";
import { HostFiles } from "./HostFiles";
import css from "./ServerForm.module.css";
import { TRANSPORT_WORDS } from "./TransportIcon";

const EXAMPLE = `{
  "mcpServers": {
    "everything": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-everything"],
      "env": { "LOG_LEVEL": "debug" }
    }
  }
}`;

/** Servers from the JSON of another client's file: what was found, which to add. */
export function PastePane({ app }: { app: AppStore }) {
	useStore(app.forms);
	useStore(app);
	const text = app.forms.pasted;
	const pasted = useFound(app.backend, text);
	/** What was read of a file in place of what is pasted. */
	const [read, setRead] = useState<Read | null>(null);
	const found = read ? (read.file?.servers ?? []) : pasted.found;
	const problem = read ? read.problem : pasted.problem;
	/** What the user has chosen otherwise than we would. */
	const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
	const [failures, setFailures] = useState<ReadonlyMap<number, string>>(new Map());
	const [adding, setAdding] = useState(false);
	const listed = (server: PastedServer) => app.servers.some((row) => row.name === server.name);
	const usable = (server: PastedServer) => server.transport !== null;
	const isOn = (server: PastedServer, i: number) => usable(server) && (chosen.get(i) ?? !listed(server));
	const on = found.flatMap((server, i) => (isOn(server, i) ? [{ server, i }] : []));

	const add = async () => {
		setAdding(true);
		const wrong = new Map<number, string>();
		let first: string | null = null;
		for (const { server, i } of on) {
			try {
				const { id } = await app.backend.call("save_server", { draft: draftOfPasted(server) });
				first ??= id;
			} catch (error) {
				wrong.set(i, words(error));
			}
		}
		setAdding(false);
		setFailures(wrong);
		// What was added is listed now, and no longer chosen.
		setChosen(new Map());
		await app.readServers();
		if (wrong.size > 0 || first === null) return;
		setRead(null);
		app.forms.paste("");
		app.selectServer(first);
	};
	return (
		<section className={css.paste} aria-label="Paste JSON">
			<header className="phead">
				<h3>Paste JSON</h3>
				<span className="dim xs trunc">mcpServers of another client’s file</span>
			</header>
			<HostFiles
				backend={app.backend}
				onRead={(next) => {
					setChosen(new Map());
					setFailures(new Map());
					setRead(next);
				}}
			/>
			{read?.file && (
				<p className={css.from}>
					<span className="trunc mono xs" title={visible(read.file.path)}>
						{visible(read.file.path)}
					</span>
					<button type="button" className="btn ghost sm" onClick={() => setRead(null)}>
						Paste instead
					</button>
				</p>
			)}
			<textarea
				hidden={read?.file != null}
				className={css.text}
				value={text}
				aria-label="JSON with mcpServers"
				placeholder={EXAMPLE}
				spellCheck={false}
				data-testid={TESTID.pasteJson}
				onChange={(event) => {
					setChosen(new Map());
					setFailures(new Map());
					setRead(null);
					app.forms.paste(event.target.value);
				}}
			/>
			<div className={css.found}>
				{problem !== null && (
					<p className="empty sev-error" role="alert">
						{problem}
					</p>
				)}
				{(read !== null || text.trim() !== "") && problem === null && found.length === 0 && (
					<p className="empty">There is no server in it.</p>
				)}
				<ul aria-label="Servers found">
					{found.map((server, i) => (
						<Found
							// biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
							key={i}
							server={server}
							on={isOn(server, i)}
							listed={listed(server)}
							failure={failures.get(i) ?? null}
							onToggle={(next) => setChosen(new Map(chosen).set(i, next))}
						/>
					))}
				</ul>
			</div>
			{found.length > 0 && (
				<footer className={css.foot}>
					<button
						type="button"
						className="btn"
						disabled={on.length === 0 || adding}
						data-testid={TESTID.pasteAdd}
						onClick={() => void add()}
					>
						Add {plural(on.length, "server")}
					</button>
					<span className="dim xs">Nothing is started: each asks before its first start.</span>
				</footer>
			)}
		</section>
	);
}

interface Read {
	file: HostServers | null;
	problem: string | null;
}

interface FoundProps {
	server: PastedServer;
	on: boolean;
	listed: boolean;
	failure: string | null;
	onToggle: (on: boolean) => void;
}

function Found({ server, on, listed, failure, onToggle }: FoundProps) {
	const { transport } = server;
	const values = transport === "stdio" ? server.env : server.headers;
	return (
		<li data-testid={TESTID.pasteFound}>
			<label className={css.foundName}>
				<input
					type="checkbox"
					className="check"
					checked={on}
					disabled={transport === null}
					onChange={(event) => onToggle(event.target.checked)}
				/>
				<span className="strong trunc">{visible(server.name)}</span>
				<span className="dim xs">
					{listed ? "a server of this name is listed" : transport && TRANSPORT_WORDS[transport]}
				</span>
			</label>
			{server.problem !== null && <p className="sev-warning xs">{server.problem}</p>}
			{transport !== null && (
				<Facts
					transport={transport}
					argv={server.argv}
					cwd={server.cwd}
					url={server.url}
					values={values.map(({ name, value, secret }) => ({ name, value: secret ? null : value }))}
				/>
			)}
			{failure !== null && (
				<p className="sev-error xs" role="alert">
					{failure}
				</p>
			)}
		</li>
	);
}

/** The servers in the text, as the host reads it; those of before stay while it is asked. */
function useFound(backend: Backend, text: string): { found: PastedServer[]; problem: string | null } {
	const [state, setState] = useState<{ found: PastedServer[]; problem: string | null }>({
		found: [],
		problem: null,
	});
	useEffect(() => {
		if (text.trim() === "") {
			setState({ found: [], problem: null });
			return;
		}
		let live = true;
		backend
			.call("read_mcp_servers", { text })
			.then((found) => live && setState({ found, problem: null }))
			.catch((error: unknown) => live && setState({ found: [], problem: words(error) }));
		return () => {
			live = false;
		};
	}, [backend, text]);
	return state;
}
