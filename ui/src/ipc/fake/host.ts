/** What the areas of the fake host share: servers, sessions, their logs, and who listens. */
import type { Commands, Events } from "../backend";
import type { RecordRow } from "../bindings/RecordRow";
import type { ServerRow } from "../bindings/ServerRow";
import type { SessionRow } from "../bindings/SessionRow";
import { type Entry, type Log, matches, ScriptLog } from "./rows";

/** The commands of one area. */
export type Area<K extends keyof Commands> = {
	[Name in K]: (args: Commands[Name]["args"]) => Commands[Name]["answer"] | Promise<Commands[Name]["answer"]>;
};

/** An open view over a session's log. */
export interface View {
	session: string;
	filter: string;
	/** Indexes in the log that match; null where all do. */
	hits: number[] | null;
}

export class Host {
	readonly logs = new Map<string, Log>();
	readonly sessions = new Map<string, SessionRow>();
	readonly views = new Map<number, View>();
	servers: ServerRow[] = [];
	private readonly listeners = new Map<string, Set<(payload: never) => void>>();
	private counter = 0;

	/** A number that was not given before. */
	next(): number {
		this.counter += 1;
		return this.counter;
	}

	listen<K extends keyof Events>(name: K, on: (payload: Events[K]) => void): () => void {
		const set = this.listeners.get(name) ?? new Set();
		this.listeners.set(name, set);
		set.add(on);
		return () => set.delete(on);
	}

	emit<K extends keyof Events>(name: K, payload: Events[K]): void {
		for (const on of this.listeners.get(name) ?? []) (on as (payload: Events[K]) => void)(payload);
	}

	log = (session: string): Log => must(this.logs.get(session));
	session = (id: string): SessionRow => must(this.sessions.get(id));
	view = (id: number): View => must(this.views.get(id));
	server = (id: string): ServerRow => must(this.servers.find((row) => row.id === id));

	/** A session of a server, connected. */
	start(server: string, log: Log, at: number, origin = "app"): SessionRow {
		const of = this.server(server);
		const number = this.next();
		const row: SessionRow = {
			id: `session-${number}`,
			server_id: server,
			server_name: of.name,
			number,
			name: null,
			origin,
			target: of.target,
			transport: of.transport,
			started_us: at,
			ended_us: null,
			records: log.size,
			frames: log.size,
			errors: 0,
			tags: [],
			pinned: false,
			previous: null,
			bytes: 0,
			era: "modern",
			revision: "2026-07-28",
			peer: "orders-mcp 0.9.1",
			pid: of.transport === "stdio" ? 48213 : null,
			elsewhere: false,
			conn: { state: "connected", since_us: at },
			exit: null,
			watch: null,
		};
		this.logs.set(row.id, log);
		this.sessions.set(row.id, row);
		this.servers = this.servers.map((other) => (other.id === server ? { ...other, session: row } : other));
		return row;
	}

	/** Adds a record and tells every view that it concerns. */
	append(session: string, entry: Entry): RecordRow {
		const log = this.log(session);
		if (!(log instanceof ScriptLog)) throw new Error("this session cannot grow");
		const { row, changed } = log.push(entry);
		const old = this.session(session);
		this.patch(session, {
			records: log.size,
			bytes: old.bytes + row.size,
			frames: old.frames + (FRAMES.has(row.kind) ? 1 : 0),
			errors: old.errors + (row.kind === "error" || row.kind === "malformed" || entry.isError ? 1 : 0),
		});
		this.tell(session, [row], changed ? [changed] : []);
		return row;
	}

	/** Adds records as a server does that tells thousands a second: views hear of them at once, with the last rows alone. */
	flood(session: string, entries: readonly Entry[]): void {
		const log = this.log(session);
		if (!(log instanceof ScriptLog)) throw new Error("this session cannot grow");
		const rows = entries.map((entry) => log.push(entry).row);
		this.patch(session, { records: log.size, frames: this.session(session).frames + rows.length });
		for (const [view, { session: of, hits }] of this.views) {
			if (of !== session || hits) continue;
			const end = rows.slice(-LAST_ROWS);
			const first = log.size - rows.length;
			const told = {
				view,
				total: log.size,
				log_total: log.size,
				first,
				rows: end,
				changed: [],
				reset: false,
			};
			this.emit("records-appended", told);
		}
	}

	/** Changes what is known of a session, and tells so. */
	patch(session: string, change: Partial<SessionRow>): SessionRow {
		const row = { ...this.session(session), ...change };
		this.sessions.set(session, row);
		this.servers = this.servers.map((other) =>
			other.session?.id === session ? { ...other, session: row } : other,
		);
		this.emit("session-changed", row);
		return row;
	}

	/** Changes an earlier record and tells every view that it concerns. */
	change(session: string, seq: number, change: Partial<RecordRow>): void {
		const log = this.log(session);
		if (log instanceof ScriptLog) this.tell(session, [], [log.set(seq, change)]);
	}

	/** Tells every view of a session about new rows and changed ones. */
	tell(session: string, rows: RecordRow[], changed: RecordRow[]): void {
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

	/** Throws where nothing can be sent in a session. */
	mustBeUp(session: string): void {
		if (this.session(session).conn.state === "connected") return;
		throw { code: "session_closed", message: "The session is closed; connect to send." };
	}
}

/** Rows that an event brings at most. */
const LAST_ROWS = 64;

const FRAMES = new Set(["request", "result", "error", "notification", "batch", "malformed"]);

/** The thing asked for, or `not_found`. */
export function must<T>(value: T | undefined): T {
	if (value === undefined) throw { code: "not_found", message: "There is no such thing." };
	return value;
}
