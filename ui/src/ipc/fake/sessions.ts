/** Sessions: live ones, the list of all, and searching them. */
import type { RecordRow } from "../bindings/RecordRow";
import type { RestartRow } from "../bindings/RestartRow";
import type { Retention } from "../bindings/Retention";
import type { SessionListRow } from "../bindings/SessionListRow";
import type { SessionRow } from "../bindings/SessionRow";
import type { StatsRow } from "../bindings/StatsRow";
import { readCapture } from "./capture";
import type { Area, Host } from "./host";
import { ScriptLog } from "./rows";
import { CRASH, HANDSHAKE } from "./script";
import { hitsIn, keep } from "./search";

type Names =
	| "open_session"
	| "close_session"
	| "list_sessions"
	| "get_session"
	| "rename_session"
	| "tag_session"
	| "pin_session"
	| "delete_sessions"
	| "get_restart"
	| "restore_sessions"
	| "open_url"
	| "save_bytes"
	| "save_frame"
	| "start_search"
	| "stop_search"
	| "get_retention"
	| "set_retention"
	| "get_stats"
	| "open_data_folder";

/** Whether this app writes a session right now. */
const recorded = ({ ended_us, elsewhere, conn }: SessionRow) =>
	ended_us === null && !elsewhere && conn.state !== "not-recording";

/** Hits at which a search ends. */
const LIMIT = 2000;

export class Sessions {
	private readonly trash = new Map<string, SessionRow>();
	private retention: Retention = { days: null, gigabytes: null };
	private readonly restarts = new Map<string, RestartRow>();
	private search = 0;

	constructor(private readonly host: Host) {}

	readonly commands: Area<Names> = {
		open_session: ({ server }) => this.open(server),
		close_session: ({ session }) => {
			this.end(session, { outcome: "closed", crashed: false });
			return null;
		},
		list_sessions: ({ query, limit }) => this.list(query, limit),
		get_session: ({ session }) => this.host.session(session),
		rename_session: ({ session, name }) => this.host.patch(session, { name: name === "" ? null : name }),
		tag_session: ({ session, tags }) => this.host.patch(session, { tags }),
		pin_session: ({ session, pinned }) => this.host.patch(session, { pinned }),
		get_restart: ({ session }) => this.restarts.get(session) ?? null,
		delete_sessions: ({ sessions }) => this.remove(sessions),
		restore_sessions: ({ sessions }) => {
			for (const id of sessions) {
				const row = this.trash.get(id);
				if (row) this.host.sessions.set(id, row);
				this.trash.delete(id);
			}
			this.host.emit("sessions-changed", null);
			return null;
		},
		save_frame: ({ seq }) => `/home/ada/frame-${seq}.json`,
		save_bytes: ({ name }) => `/home/ada/${name}`,
		open_url: ({ url }) => {
			if (!url.startsWith("https:")) throw { code: "invalid_config", message: "this app opens https alone" };
			return null;
		},
		start_search: ({ query }) => {
			const { problem } = keep([], query);
			if (problem) throw { code: "invalid_config", message: problem.message };
			this.search = this.host.next();
			void this.run(this.search, query);
			return this.search;
		},
		stop_search: ({ search }) => {
			if (search === this.search) this.search = 0;
			return null;
		},
		get_retention: () => this.retention,
		set_retention: ({ retention }) => {
			this.retention = retention;
			return null;
		},
		get_stats: () => this.stats(),
		open_data_folder: () => null,
	};

	/** Ends a session as a server that dies does. */
	crash(session: string, abandon: (session: string) => void): void {
		const rows = CRASH.map((entry) => this.host.append(session, entry));
		abandon(session);
		this.end(session, { outcome: "exit 3", crashed: true }, rows.at(-1));
		this.host.patch(session, { errors: this.host.session(session).errors + 1 });
	}

	/** Restarts a server whose watched files changed. */
	rebuild(server: string, told: Partial<RestartRow>): SessionRow {
		const old = this.host.server(server).session;
		if (old) this.end(old.id, { outcome: "closed", crashed: false });
		const row = this.open(server);
		this.restarts.set(row.id, {
			previous: old?.id ?? "",
			number: old?.number ?? 0,
			why: "restarted, since dist/server.js changed",
			call: null,
			lists: [],
			...told,
		});
		return this.host.patch(row.id, { watch: { paths: 1, problem: null } });
	}

	/** An ended session of a capture, of no server of the catalogue. */
	golden(text: string, server: string): SessionRow {
		const capture = readCapture(text);
		const before = this.host.servers;
		const row = this.host.start(server, new ScriptLog(capture.startedUs), capture.startedUs, "import");
		for (const entry of capture.entries) this.host.append(row.id, entry);
		this.end(row.id, { outcome: "exit 3", crashed: true });
		this.host.servers = before;
		const log = this.host.log(row.id);
		const ended_us = log.row(log.size - 1).at_us;
		return this.host.patch(row.id, { server_id: null, server_name: capture.server, ended_us });
	}

	/** An ended session of some time ago. */
	past(server: string, number: number, at: number, change: Partial<SessionRow> = {}): SessionRow {
		const row = this.host.start(server, new ScriptLog(at), at);
		for (const entry of HANDSHAKE) this.host.append(row.id, entry);
		this.end(row.id, { outcome: "closed", crashed: false });
		return this.host.patch(row.id, { number, ended_us: at + 60e6, ...change });
	}

	private open(server: string): SessionRow {
		const of = this.host.server(server);
		if (of.unconfirmed) {
			throw { code: "needs_consent", message: "Its command was pasted: look at it and confirm it first." };
		}
		const now = Date.now() * 1000;
		const previous = of.session?.id ?? null;
		const row = this.host.start(server, new ScriptLog(now), now);
		this.host.patch(row.id, { previous, conn: { state: "connecting", step: "starting the process" } });
		HANDSHAKE.forEach((entry, i) => {
			setTimeout(() => {
				if (this.host.session(row.id).ended_us !== null) return;
				this.host.append(row.id, entry);
				if (i === HANDSHAKE.length - 1)
					this.host.patch(row.id, { conn: { state: "connected", since_us: Date.now() * 1000 } });
			}, i * 60);
		});
		return this.host.session(row.id);
	}

	private list(query: string, limit: number): SessionListRow {
		const all = [...this.host.sessions.values()].sort((a, b) => b.started_us - a.started_us);
		const { rows, problem } = keep(all, query);
		return {
			rows: rows.slice(0, limit),
			matching: rows.length,
			kept: all.length,
			disk_bytes: all.reduce((sum, row) => sum + row.bytes, 0),
			problem,
		};
	}

	private remove(sessions: string[]): null {
		const live = sessions.map(this.host.session).find((row) => row.ended_us === null);
		if (live) {
			const message = `${live.server_name} #${live.number} is being recorded: stop it first.`;
			throw { code: "internal", message };
		}
		for (const id of sessions) {
			this.trash.set(id, this.host.session(id));
			this.host.sessions.delete(id);
		}
		this.host.emit("sessions-changed", null);
		return null;
	}

	/** A session of a file. */
	imported(): SessionRow {
		const server = this.host.servers[0]?.id ?? "";
		const before = this.host.servers;
		const row = this.past(server, 1, Date.now() * 1000 - 86_400e6, { origin: "import", server_id: null });
		this.host.servers = before;
		this.host.emit("sessions-changed", null);
		return row;
	}

	/** Looks through one session after the other, telling what it found. */
	private async run(search: number, query: string): Promise<void> {
		const all = this.list("", Number.MAX_SAFE_INTEGER).rows;
		const found = { search, sessions: 0, records: 0, of_sessions: all.length, problems: [] };
		let left = LIMIT;
		for (const row of all) {
			if (found.sessions % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
			if (search !== this.search) return;
			const log = this.host.log(row.id);
			const hits = hitsIn(row, log, query, left);
			left -= hits.length;
			found.sessions += 1;
			found.records += log.size;
			if (hits.length > 0 || found.sessions % 50 === 0) {
				this.host.emit("search-found", { ...found, hits, done: false, limited: false });
			}
			if (left === 0) break;
		}
		this.host.emit("search-found", { ...found, hits: [], done: true, limited: left === 0 });
	}

	private stats(): StatsRow {
		const rows = [...this.host.sessions.values()];
		return {
			recording: rows.filter(recorded).length,
			per_second: 2,
			disk_bytes: 212_400_000,
			commit_p99_us: 3100,
		};
	}

	end(session: string, how: { outcome: string; crashed: boolean }, last?: RecordRow): void {
		const now = Date.now() * 1000;
		const row =
			last ??
			this.host.append(session, {
				after: 5,
				kind: "lifecycle",
				dir: null,
				body: "",
				summary: "closed by the user",
			});
		const log = this.host.log(session);
		const rows = Array.from({ length: log.size }, (_, i) => log.row(i));
		const stderr = rows.filter((other) => other.kind === "stderr").map((other) => other.summary);
		const open = rows.filter((other) => other.verdict === "unanswered");
		this.host.patch(session, {
			ended_us: now,
			pid: null,
			conn: { state: "closed", at_us: now, ...how },
			exit: {
				seq: row.seq,
				title: how.crashed ? "The server exited with code 3" : "You closed the connection",
				detail: how.crashed
					? "It ran 4 min 12 s. We did not stop it: no signal was sent."
					: "It ran 4 min 12 s.",
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
				path_source: "the environment of this app",
			},
		});
	}
}
