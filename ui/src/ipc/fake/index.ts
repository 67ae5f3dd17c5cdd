/**
 * A host inside the page: plays a made-up session so that the page can be worked on in a browser, and so that
 * component tests have something to talk to. `?rows=N` adds a session of N rows.
 */
import type { Backend, Commands, Events } from "../backend";
import type { RecordRow } from "../bindings/RecordRow";
import type { RequestDraft } from "../bindings/RequestDraft";
import type { ServerDraft } from "../bindings/ServerDraft";
import type { ServerRow } from "../bindings/ServerRow";
import type { SessionRow } from "../bindings/SessionRow";
import { readCapture } from "./capture";
import { exchangeOf, HTTP_STORY, URL } from "./http";
import { EndlessLog, type Entry, isJson, type Log, matches, ScriptLog } from "./log";
import { BIG, CRASH, HANDSHAKE, STORY, TOOLS } from "./script";

type Handlers = {
	[K in keyof Commands]: (
		args: Commands[K]["args"],
	) => Commands[K]["answer"] | Promise<Commands[K]["answer"]>;
};

interface View {
	session: string;
	filter: string;
	/** Indexes in the log that match; null where all do. */
	hits: number[] | null;
}

/** The golden sessions that the Rust tests read too. */
const GOLDEN = import.meta.glob<string>("../../../../tests/sessions/*.jsonl", {
	query: "?raw",
	import: "default",
	eager: true,
});

/** The first 256 KiB of a body come with it. */
const HEAD = 256 * 1024;

export class FakeBackend implements Backend {
	private readonly listeners = new Map<string, Set<(payload: never) => void>>();
	private readonly logs = new Map<string, Log>();
	private readonly sessions = new Map<string, SessionRow>();
	private readonly views = new Map<number, View>();
	private readonly settings = new Map<string, unknown>();
	private readonly waiting = new Map<string, () => void>();
	private servers: ServerRow[] = [];
	private counter = 0;
	private ids = 23;

	constructor(query = new URLSearchParams()) {
		this.saveServer(command("orders-mcp", "uv run orders_mcp --stage dev"));
		this.saveServer(command("fs-sandbox", "npx -y fs-sandbox ."));
		this.servers.push({
			...this.server("s1"),
			id: "demo",
			name: "demo server",
			target: "framescope demo-server",
			demo: true,
		});
		const now = Date.now() * 1000;
		for (const text of Object.values(GOLDEN)) this.golden(text);
		this.past("s2", 5, now - 26 * 3600e6, "app");
		this.past("s1", 12, now - 3600e6, "cli");
		const rows = Number(query.get("rows") ?? 0);
		if (rows > 0) this.start("s2", new EndlessLog(rows, now - 60e6), now - 60e6);
		const live = this.start("s1", new ScriptLog(now - 20e6), now - 20e6);
		for (const entry of STORY) this.append(live.id, entry);
		this.patch(live.id, { started_us: now - 252e6 });
		if (query.has("theme")) this.settings.set("theme", query.get("theme"));
		if (query.has("http")) this.http(now);
		if (query.has("crash")) this.crash(live.id);
	}

	async call<K extends keyof Commands>(name: K, args: Commands[K]["args"]): Promise<Commands[K]["answer"]> {
		await Promise.resolve();
		return this.handlers[name](args);
	}

	async listen<K extends keyof Events>(name: K, on: (payload: Events[K]) => void): Promise<() => void> {
		const set = this.listeners.get(name) ?? new Set();
		this.listeners.set(name, set);
		set.add(on);
		return () => set.delete(on);
	}

	private readonly handlers: Handlers = {
		app_info: () => ({ version: "0.1.0", dataDir: "in the page" }),
		list_servers: () =>
			this.servers.map((row) => ({ ...row, session: row.session && this.session(row.session.id) })),
		save_server: ({ draft }) => this.saveServer(draft),
		delete_server: ({ server }) => {
			this.servers = this.servers.filter((row) => row.id !== server);
			return null;
		},
		split_command_line: ({ text }) => this.split(text),
		open_session: ({ server }) => this.openSession(server),
		close_session: ({ session }) => {
			this.end(session, { outcome: "closed", crashed: false });
			return null;
		},
		list_sessions: ({ limit }) =>
			[...this.sessions.values()].sort((a, b) => b.started_us - a.started_us).slice(0, limit),
		get_session: ({ session }) => this.session(session),
		open_view: ({ session, filter }) => this.openView(session, filter),
		view_rows: ({ view, from, n }) => this.viewRows(view, from, n),
		view_index: ({ view, seq }) => {
			const { hits } = this.view(view);
			if (!hits) return seq - 1;
			const at = hits.indexOf(seq - 1);
			return at < 0 ? null : at;
		},
		close_view: ({ view }) => {
			this.views.delete(view);
			return null;
		},
		ack: () => null,
		get_record: ({ session, seq }) => this.log(session).row(seq - 1),
		get_frame: ({ session, seq }) => {
			const body = this.log(session).body(seq);
			const [text, complete] = [body.slice(0, HEAD), body.length <= HEAD];
			return { seq, size: body.length, text, complete, utf8: true, message: null };
		},
		get_exchange: ({ session, seq }) => exchangeOf(this.log(session), seq),
		frame_range: ({ session, seq, from, len }) =>
			new TextEncoder().encode(this.log(session).body(seq)).slice(from, from + len).buffer,
		preview_request: ({ session, draft }) => {
			this.mustBeUp(session);
			const text = this.frame(this.ids + 1, draft);
			const ok = draft.params === null || isJson(draft.params);
			return {
				text,
				size: text.length,
				id: String(this.ids + 1),
				problem: ok ? null : "The arguments are not JSON.",
			};
		},
		send_request: ({ session, draft }) => this.send(session, draft),
		await_outcome: async ({ session, seq }) => {
			if (this.log(session).row(seq - 1).verdict === "pending") {
				await new Promise<void>((resolve) => this.waiting.set(`${session}/${seq}`, resolve));
			}
			const request = this.log(session).row(seq - 1);
			const answer = request.answer === null ? null : this.log(session).row(request.answer - 1);
			return {
				request,
				answer,
				verdict: request.verdict ?? "ok",
				message: answer ? null : "No answer came.",
			};
		},
		cancel_request: ({ session, seq }) => {
			this.settle(session, seq, { verdict: "cancelled" });
			return null;
		},
		extend_request: () => null,
		list_catalog: ({ session }) => {
			this.mustBeUp(session);
			return { tools: TOOLS, problems: ["Item 12 of tools/list has no name."] };
		},
		get_setting: ({ key }) => this.settings.get(key) ?? null,
		set_setting: ({ key, value }) => {
			this.settings.set(key, value);
			return null;
		},
	};

	/** Adds a record and tells every view that it concerns. For tests too. */
	append(session: string, entry: Entry): RecordRow {
		const log = this.log(session);
		if (!(log instanceof ScriptLog)) throw new Error("this session cannot grow");
		const { row, changed } = log.push(entry);
		this.patch(session, { records: log.size, bytes: this.session(session).bytes + row.size });
		this.tell(session, [row], changed ? [changed] : []);
		return row;
	}

	/** Ends a session as a server that dies does. For tests too. */
	crash(session: string): void {
		const rows = CRASH.map((entry) => this.append(session, entry));
		const log = this.log(session);
		for (let i = 0; i < log.size; i += 1) {
			if (log.row(i).verdict === "pending") this.settle(session, i + 1, { verdict: "unanswered" });
		}
		this.end(session, { outcome: "exit 3", crashed: true }, rows.at(-1));
	}

	private openSession(server: string): SessionRow {
		const now = Date.now() * 1000;
		const row = this.start(server, new ScriptLog(now), now);
		this.patch(row.id, { conn: { state: "connecting", step: "starting the process" } });
		HANDSHAKE.forEach((entry, i) => {
			setTimeout(() => {
				this.append(row.id, entry);
				if (i === HANDSHAKE.length - 1)
					this.patch(row.id, { conn: { state: "connected", since_us: Date.now() * 1000 } });
			}, i * 60);
		});
		return this.session(row.id);
	}

	private send(session: string, draft: RequestDraft): { seq: number; id: string } {
		this.ids += 1;
		const id = String(this.ids);
		const log = this.log(session);
		const name = /"name":"([^"]*)"/.exec(draft.params ?? "")?.[1] ?? "";
		const row = this.append(session, {
			after: log.size === 0 ? 0 : Date.now() - log.row(log.size - 1).at_us / 1000,
			kind: "request",
			dir: "c2s",
			id,
			method: draft.method,
			summary: `${name} ${draft.params?.slice(0, 120) ?? ""}`,
			body: this.frame(this.ids, draft),
		});
		if (name === "server.crash") setTimeout(() => this.crash(session), 200);
		else setTimeout(() => this.answer(session, row, name), name === "reports.run" ? 12_000 : 90);
		return { seq: row.seq, id };
	}

	private answer(session: string, request: RecordRow, name: string): void {
		if (this.log(session).row(request.seq - 1).verdict !== "pending") return;
		const value =
			name === "reports.big"
				? BIG
				: `{"resultType":"complete","content":[{"type":"text","text":"${name} says hello"}],"structuredContent":{"exact":9007199254740993,"one":1.0}}`;
		this.append(session, {
			after: 90,
			kind: "result",
			dir: "s2c",
			id: request.id ?? "",
			summary: value,
			body: `{"jsonrpc":"2.0","id":${request.id},"result":${value}}`,
		});
		this.waiting.get(`${session}/${request.seq}`)?.();
	}

	private settle(session: string, seq: number, change: Partial<RecordRow>): void {
		const log = this.log(session);
		if (log instanceof ScriptLog) this.tell(session, [], [log.set(seq, change)]);
		this.waiting.get(`${session}/${seq}`)?.();
	}

	private end(session: string, how: { outcome: string; crashed: boolean }, last?: RecordRow): void {
		const now = Date.now() * 1000;
		const row =
			last ??
			this.append(session, {
				after: 5,
				kind: "lifecycle",
				dir: null,
				body: "",
				summary: "closed by the user",
			});
		const log = this.log(session);
		const rows = Array.from({ length: log.size }, (_, i) => log.row(i));
		const stderr = rows.filter((other) => other.kind === "stderr").map((other) => other.summary);
		const open = rows.filter((other) => other.verdict === "unanswered");
		this.patch(session, {
			ended_us: now,
			pid: null,
			conn: { state: "closed", at_us: now, ...how },
			exit: {
				seq: row.seq,
				title: how.crashed ? "The server exited with code 3" : "The session was closed",
				detail: how.crashed
					? "It ran 4 min 12 s. We did not stop it: no signal was sent."
					: "It ran 4 min 12 s. You stopped it.",
				crashed: how.crashed,
				stderr: stderr.slice(-5),
				stderr_total: stderr.length,
				unanswered: open.map((other) => ({
					seq: other.seq,
					id: other.id ?? "",
					what: `tools/call ${other.summary.split(" ")[0]}`,
					waited_us: 424_000,
				})),
				executable: "/usr/bin/uv",
				argv: ["uv", "run", "orders_mcp", "--stage", "dev"],
				cwd: "/home/ada/src/orders",
				path: "/usr/local/bin:/usr/bin:/bin",
				path_source: "the app's environment",
			},
		});
	}

	private golden(text: string): void {
		const { server, startedUs, entries } = readCapture(text);
		const row = this.start("s2", new ScriptLog(startedUs), startedUs, "import");
		for (const entry of entries) this.append(row.id, entry);
		this.end(row.id, { outcome: "exit 3", crashed: true });
		this.patch(row.id, { server_id: null, server_name: server });
		this.servers = this.servers.map((other) =>
			other.session?.id === row.id ? { ...other, session: null } : other,
		);
	}

	private past(server: string, number: number, at: number, origin: string): void {
		const row = this.start(server, new ScriptLog(at), at, origin);
		for (const entry of HANDSHAKE) this.append(row.id, entry);
		this.end(row.id, { outcome: "closed", crashed: false });
		this.patch(row.id, { number, ended_us: at + 60e6 });
	}

	private start(server: string, log: Log, at: number, origin = "app"): SessionRow {
		this.counter += 1;
		const of = this.server(server);
		const row: SessionRow = {
			id: `session-${this.counter}`,
			server_id: server,
			server_name: of.name,
			number: this.counter,
			name: null,
			origin,
			target: of.target,
			transport: of.transport,
			started_us: at,
			ended_us: null,
			records: log.size,
			bytes: 0,
			era: "modern",
			revision: "2026-07-28",
			peer: "orders-mcp 0.9.1",
			pid: of.transport === "stdio" ? 48213 : null,
			elsewhere: false,
			conn: { state: "connected", since_us: at },
			exit: null,
		};
		this.logs.set(row.id, log);
		this.sessions.set(row.id, row);
		this.servers = this.servers.map((other) => (other.id === server ? { ...other, session: row } : other));
		return row;
	}

	private saveServer({ id, name, target }: ServerDraft): ServerRow {
		const [where, short] =
			target.transport === "http"
				? [target.url, target.url.split("/")[2] ?? target.url]
				: [target.command_line, this.split(target.command_line)[0] ?? ""];
		const old = this.servers.find((other) => other.id === id);
		const row: ServerRow = {
			id: old?.id ?? `s${this.servers.length + 1}`,
			name: name || short,
			transport: target.transport,
			target: where,
			headers: target.transport === "http" ? target.headers : [],
			demo: false,
			session: old?.session ?? null,
		};
		this.servers = old ? this.servers.map((other) => (other === old ? row : other)) : [...this.servers, row];
		this.emit("servers-changed", null);
		return row;
	}

	/** A server over HTTP, connected, with one call. */
	private http(now: number): void {
		const target = { transport: "http", url: URL, headers: [] as [string, string][] } as const;
		const server = this.saveServer({ name: "billing-http", target });
		const row = this.start(server.id, new ScriptLog(now - 9e6), now - 9e6);
		for (const entry of HTTP_STORY) this.append(row.id, entry);
	}

	private patch(session: string, change: Partial<SessionRow>): void {
		const row = { ...this.session(session), ...change };
		this.sessions.set(session, row);
		this.emit("session-changed", row);
	}

	private tell(session: string, rows: RecordRow[], changed: RecordRow[]): void {
		for (const [view, { session: of, hits, filter }] of this.views) {
			if (of !== session) continue;
			const fresh = rows.filter((row) => matches(row, filter));
			const first = hits ? hits.length : (rows[0]?.seq ?? 1) - 1;
			for (const row of fresh) hits?.push(row.seq - 1);
			const log_total = this.log(session).size;
			this.emit("records-appended", {
				view,
				total: hits?.length ?? log_total,
				log_total,
				first,
				rows: fresh,
				changed,
				reset: false,
			});
		}
	}

	private emit<K extends keyof Events>(name: K, payload: Events[K]): void {
		for (const on of this.listeners.get(name) ?? []) (on as (payload: Events[K]) => void)(payload);
	}

	private openView(session: string, filter: string): Commands["open_view"]["answer"] {
		this.counter += 1;
		const log = this.log(session);
		const bad = filter.indexOf("colour:");
		const all = filter.trim() === "" || bad >= 0;
		const hits = all
			? null
			: Array.from({ length: log.size }, (_, i) => i).filter((i) => matches(log.row(i), filter));
		this.views.set(this.counter, { session, filter: all ? "" : filter, hits });
		const problem = bad < 0 ? null : { from: bad, to: bad + 7, message: "There is no key “colour”." };
		return { view: this.counter, total: hits?.length ?? log.size, log_total: log.size, problem };
	}

	private viewRows(view: number, from: number, n: number): RecordRow[] {
		const { session, hits } = this.view(view);
		const log = this.log(session);
		const total = hits?.length ?? log.size;
		return Array.from({ length: Math.max(0, Math.min(n, total - from)) }, (_, i) =>
			log.row(hits?.[from + i] ?? from + i),
		);
	}

	private frame(id: number, draft: RequestDraft): string {
		const params = draft.params === null ? "" : `,"params":${draft.params.replaceAll("\n", " ")}`;
		return `{"jsonrpc":"2.0","id":${id},"method":"${draft.method}"${params}}`;
	}

	private split(text: string): string[] {
		if ((text.match(/"/g)?.length ?? 0) % 2 === 1)
			throw { code: "invalid_config", message: "A quote is not closed." };
		return (text.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"|"$/g, ""));
	}

	private mustBeUp(session: string): void {
		if (this.session(session).conn.state === "connected") return;
		throw { code: "session_closed", message: "The session is closed; connect to send." };
	}

	private log = (session: string): Log => must(this.logs.get(session));
	private session = (id: string): SessionRow => must(this.sessions.get(id));
	private view = (id: number): View => must(this.views.get(id));
	private server = (id: string): ServerRow => must(this.servers.find((row) => row.id === id));
}

function must<T>(value: T | undefined): T {
	if (value === undefined) throw { code: "not_found", message: "There is no such thing." };
	return value;
}

/** A server as typed by its command line. */
function command(name: string, command_line: string): ServerDraft {
	return { name, target: { transport: "stdio", command_line } };
}
