/**
 * A host inside the page: plays a made-up session so that the page can be worked on in a browser, and so that
 * component tests have something to talk to. In the address: `rows=N` adds a session of N rows, `sessions=N` so many
 * past ones, `http` a server over HTTP, `asks` questions of the live server, `crash` ends the live one, `nokeychain`, `signin` one that needs a sign-in (`signin=fail`: which fails), `tools=N` so many more tools, `rebuilt` restarts the live server as a change of its files does, `empty`, `theme=dark`,
 * `secretfile` a file of secrets that is locked, `applog=N` so many more lines of the app log, `locked` makes imports need a passphrase,
 * `scenario=NAME` a state of `scenarios.ts`, `first` what the first start shows, `bare` a server that has nothing,
 * `fail=COMMAND,…` lets these commands of the host fail, `hang=COMMAND,…` lets them never answer.
 */
import type { Backend, Commands, Events } from "../backend";
import type { RecordRow } from "../bindings/RecordRow";
import type { RestartRow } from "../bindings/RestartRow";
import type { SessionRow } from "../bindings/SessionRow";
import type { AppLogLevel } from "../secrets";
import { OwnLog } from "./appLog";
import { Auth } from "./auth";
import { Clients } from "./client";
import { Doctor } from "./doctor";
import { Exports } from "./exports";
import { type Area, Host } from "./host";
import { HTTP_STORY, URL } from "./http";
import { Inputs, questions } from "./inputs";
import { logCommands } from "./log";
import { EndlessLog, type Entry, ScriptLog } from "./rows";
import { stage } from "./scenarios";
import { BARE_STORY, STORY } from "./script";
import { SecretPlace } from "./secretStore";
import { command, Servers } from "./servers";
import { Sessions } from "./sessions";
import { Talk } from "./talk";
import { manyTools, TOOLS } from "./tools";

/** The golden sessions that the Rust tests read too. */
const GOLDEN = import.meta.glob<string>("../../../../tests/sessions/*.jsonl", {
	query: "?raw",
	import: "default",
	eager: true,
});

/** What a build has changed. */
const REBUILT: Partial<RestartRow> = {
	call: {
		seq: 9,
		method: "tools/call",
		about: "orders.get",
		params: '{"name":"orders.get","arguments":{"order_id":"SO-1042"}}',
		masked: false,
	},
	lists: [
		{
			what: "tools",
			added: ["orders.archive"],
			removed: ["orders.bulk"],
			changed: [
				{ name: "orders.refund", parts: ["description", "inputSchema"] },
				{ name: "stock\u202eget", parts: ["annotations"] },
			],
		},
	],
};

/** Commands whose answer comes from a server, and what they say where it does not answer. */
const ASKS_SERVER = new Set<string>([
	"list_catalog",
	"list_offers",
	"list_page",
	"send_request",
	"subscribe",
]);
const SILENT = { code: "timed_out", message: "the server sent no answer within 30 s" };
/** What the others say. */
const DISK = { code: "internal", message: "this app cannot use its data folder: disk I/O error" };

export class FakeBackend implements Backend {
	private readonly host = new Host();
	private readonly servers: Servers;
	private readonly ownLog: OwnLog;
	private readonly sessions = new Sessions(this.host);
	private readonly talk: Talk;
	private readonly inputs: Inputs;
	private readonly clients: Clients;
	private readonly settings = new Map<string, unknown>();
	private readonly handlers: Area<keyof Commands>;
	private readonly fails: ReadonlySet<string>;
	private readonly hangs: ReadonlySet<string>;

	constructor(query = new URLSearchParams()) {
		this.servers = new Servers(this.host, !query.has("nokeychain") && !query.has("secretfile"));
		const more = Number(query.get("tools") ?? 0);
		this.fails = new Set(query.get("fail")?.split(","));
		this.hangs = new Set(query.get("hang")?.split(","));
		const tools = query.has("bare") ? [] : [...manyTools(more), ...TOOLS];
		this.talk = new Talk(this.host, (session) => this.crash(session), tools);
		this.inputs = new Inputs(this.host, query.has("bare"));
		this.clients = new Clients(this.host, this.talk);
		this.ownLog = new OwnLog(this.host, Number(query.get("applog") ?? 0));
		this.handlers = {
			app_info: () => ({ version: "0.1.0", dataDir: "/home/ada/.local/share/dev.framescope.desktop" }),
			get_setting: ({ key }) => this.settings.get(key) ?? null,
			set_setting: ({ key, value }) => {
				this.settings.set(key, value);
				return null;
			},
			...this.servers.commands,
			...new Doctor(this.host).commands,
			...this.sessions.commands,
			...new Exports(this.host, this.sessions, query.has("locked")).commands,
			...this.talk.commands,
			...this.ownLog.commands,
			...new SecretPlace(!query.has("nokeychain"), query.has("secretfile")).commands,
			...this.inputs.commands,
			...this.clients.commands,
			...new Auth(this.host, query.get("signin") === "fail").commands,
			...logCommands(this.host),
		};
		if (query.has("theme")) this.settings.set("theme", query.get("theme"));
		if (query.has("first")) this.demo();
		else if (!query.has("empty")) this.furnish(query);
	}

	async call<K extends keyof Commands>(name: K, args: Commands[K]["args"]): Promise<Commands[K]["answer"]> {
		await Promise.resolve();
		if (this.hangs.has(name)) return new Promise(() => {});
		if (this.fails.has(name)) throw ASKS_SERVER.has(name) ? SILENT : DISK;
		return this.handlers[name](args);
	}

	async listen<K extends keyof Events>(name: K, on: (payload: Events[K]) => void): Promise<() => void> {
		return this.host.listen(name, on);
	}

	/** Adds a record and tells every view that it concerns. For tests. */
	append(session: string, entry: Entry): RecordRow {
		return this.host.append(session, entry);
	}

	/** Tells an event. For tests. */
	emit<K extends keyof Events>(name: K, payload: Events[K]): void {
		this.host.emit(name, payload);
	}

	/** Writes a line of the app log. For tests. */
	log(level: AppLogLevel, text: string): void {
		this.ownLog.write(level, text);
	}

	/** Ends a session as a server that dies does. For tests too. */
	crash(session: string): void {
		this.sessions.crash(session, (of) => this.talk.abandon(of));
	}

	/** Restarts a server as a change of its watched files does. For tests. */
	rebuild(server: string, told: Partial<RestartRow> = {}): SessionRow {
		return this.sessions.rebuild(server, told);
	}

	/** Changes what is known of a session. For tests. */
	patch(session: string, change: Partial<SessionRow>): SessionRow {
		return this.host.patch(session, change);
	}

	/** The server that comes with the app. */
	private demo(): void {
		const { id } = this.servers.save(command("demo server", "framescope demo-server"));
		this.host.servers = this.host.servers.map((row) =>
			row.id === id ? { ...row, id: "demo", demo: true } : row,
		);
	}

	/** The servers and sessions that are there when the window opens. */
	private furnish(query: URLSearchParams): void {
		const now = Date.now() * 1000;
		this.servers.save(command("orders-mcp", "uv run orders_mcp --stage dev"));
		this.servers.save(command("fs-sandbox", "npx -y fs-sandbox ."));
		this.demo();
		for (const text of Object.values(GOLDEN)) this.sessions.golden(text, "s2");
		for (let i = Number(query.get("sessions") ?? 0); i > 0; i -= 1) this.many(i, now);
		this.sessions.past("s2", 5, now - 26 * 3600e6);
		this.sessions.past("s1", 12, now - 3600e6, { origin: "cli" });
		const rows = Number(query.get("rows") ?? 0);
		if (rows > 0) this.host.start("s2", new EndlessLog(rows, now - 60e6), now - 60e6);
		const live = this.host.start("s1", new ScriptLog(now - 20e6), now - 20e6);
		for (const entry of query.has("bare") ? BARE_STORY : STORY) this.append(live.id, entry);
		this.host.patch(live.id, { started_us: now - 252e6 });
		if (query.has("http")) this.http(now);
		if (query.has("signin")) this.refused(now);
		stage(this.host, live.id, query.get("scenario"), (session) => this.talk.abandon(session));
		if (query.has("asks")) this.inputs.put(live.id, questions(now));
		if (query.has("crash")) this.crash(live.id);
		if (query.has("rebuilt")) this.rebuild("s1", REBUILT);
	}

	/** The nth of many past sessions. */
	private many(n: number, now: number): void {
		const legacy = n % 7 === 0;
		this.sessions.past(n % 3 === 0 ? "s2" : "s1", n, now - n * 1733e6, {
			origin: n % 5 === 0 ? "cli" : "app",
			errors: n % 4 === 0 ? n % 9 : 0,
			tags: n % 11 === 0 ? ["ci", "nightly"] : n % 13 === 0 ? ["flaky"] : [],
			pinned: n % 37 === 0,
			era: legacy ? "legacy" : "modern",
			revision: legacy ? "2025-11-25" : "2026-07-28",
			...(n % 6 === 0 ? { name: `Refunds, attempt ${n}` } : {}),
		});
	}

	/** A server over HTTP that answered 401. */
	private refused(now: number): void {
		const target = { transport: "http" as const, url: "https://mcp.crm.internal:8443/mcp", headers: [] };
		const server = this.servers.save(command("crm-remote", "", { target }));
		const row = this.host.start(server.id, new ScriptLog(now - 9e6), now - 9e6);
		const message = "the server needs authorization (HTTP 401): sign in, or add an Authorization header";
		this.host.patch(row.id, {
			ended_us: now - 8e6,
			era: null,
			revision: null,
			conn: { state: "failed", code: "auth_required", message, status: 401 },
		});
	}

	/** A server over HTTP, connected, with one call. */
	private http(now: number): void {
		const target = { transport: "http" as const, url: URL, headers: [] };
		const server = this.servers.save(command("billing-http", "", { target }));
		const row = this.host.start(server.id, new ScriptLog(now - 9e6), now - 9e6);
		for (const entry of HTTP_STORY) this.append(row.id, entry);
	}
}
