/** What the window shows: the servers, the newest sessions, and the one that is open. */
import type { AppInfo, Backend } from "../ipc/backend";
import type { ServerDraft } from "../ipc/bindings/ServerDraft";
import type { ServerRow } from "../ipc/bindings/ServerRow";
import type { SessionRow } from "../ipc/bindings/SessionRow";
import { Drafts } from "./drafts";
import { words } from "./errors";
import { Observable } from "./observable";
import { SessionStore } from "./sessionStore";

/** Sessions that the rail lists. */
const SESSIONS = 60;

export class AppStore extends Observable {
	info: AppInfo | null = null;
	servers: ServerRow[] = [];
	/** Newest first. */
	sessions: SessionRow[] = [];
	/** The chosen server; null where a session of none is open. */
	server: string | null = null;
	/** The open session's rows; null for a server that was never started. */
	open: SessionStore | null = null;
	/** What is chosen and typed. */
	readonly drafts = new Drafts();
	/** The panel for a server is up. */
	adding = false;
	/** The server that the panel changes; a new one where null. */
	editing: ServerRow | null = null;
	/** The first lists are here. */
	ready = false;
	/** What this app could not do last, in words. */
	problem: string | null = null;

	constructor(readonly backend: Backend) {
		super();
	}

	/** Listens, reads the lists, and opens the first server. Returns what ends the listening. */
	async start(): Promise<() => void> {
		const ends = await Promise.all([
			this.backend.listen("records-appended", (event) => this.open?.apply(event)),
			this.backend.listen("session-changed", (row) => this.takeSession(row)),
			this.backend.listen("servers-changed", () => void this.readServers()),
		]);
		await this.attempt(async () => {
			const [info, list] = await Promise.all([
				this.backend.call("app_info", {}),
				this.backend.call("list_sessions", { query: "", limit: SESSIONS }),
			]);
			this.info = info;
			this.sessions = list.rows;
		});
		await this.readServers();
		this.ready = true;
		const first = this.servers[0];
		if (first) this.selectServer(first.id);
		this.changed();
		return () => {
			for (const end of ends) end();
		};
	}

	/** The open session as it stands. */
	get session(): SessionRow | null {
		const id = this.open?.session;
		return id === undefined ? null : this.findSession(id);
	}

	/** The chosen server as it stands. */
	get serverRow(): ServerRow | null {
		return this.servers.find((row) => row.id === this.server) ?? null;
	}

	/** Sessions that are being recorded by this app. */
	get live(): SessionRow[] {
		return this.sessions.filter((row) => !row.elsewhere && row.conn.state === "connected");
	}

	selectServer(id: string): void {
		this.adding = false;
		this.server = id;
		const row = this.serverRow;
		this.openSession(row?.session?.id ?? null);
	}

	selectSession(id: string): void {
		this.adding = false;
		this.server = this.findSession(id)?.server_id ?? null;
		this.openSession(id);
	}

	/** Shows or hides the panel for a new server, or for one that is there. */
	setAdding(adding: boolean, editing: ServerRow | null = null): void {
		this.adding = adding;
		this.editing = editing;
		this.changed();
	}

	/** Starts a new session and opens it. Null where that failed; `problem` then says why. */
	async connect(server: string): Promise<SessionRow | null> {
		return this.attempt(async () => {
			const session = await this.backend.call("open_session", { server });
			this.takeSession(session);
			this.selectSession(session.id);
			return session;
		});
	}

	/** Starts a new session and waits until requests can be sent in it. Null where it did not come so far. */
	async connectAndWait(server: string): Promise<string | null> {
		const id = (await this.connect(server))?.id;
		if (id === undefined) return null;
		return new Promise((resolve) => {
			const look = () => {
				const state = this.findSession(id)?.conn.state;
				if (state === "connecting") return;
				end();
				resolve(state === "connected" ? id : null);
			};
			const end = this.subscribe(look);
			look();
		});
	}

	async disconnect(session: string): Promise<void> {
		await this.attempt(() => this.backend.call("close_session", { session }));
	}

	/** Ends the server's live session, if there is one, and starts a new one. */
	async restart(server: string): Promise<SessionRow | null> {
		const row = this.servers.find((other) => other.id === server)?.session;
		if (row && isUp(row)) await this.disconnect(row.id);
		return this.connect(server);
	}

	/** Saves a server, new or changed, and chooses it. Throws where what was typed cannot be used. */
	async saveServer(draft: ServerDraft): Promise<ServerRow> {
		const row = await this.backend.call("save_server", { draft });
		await this.readServers();
		this.selectServer(row.id);
		return row;
	}

	async deleteServer(server: string): Promise<void> {
		await this.attempt(() => this.backend.call("delete_server", { server }));
		await this.readServers();
		if (this.server !== server) return;
		const first = this.servers[0];
		if (first) this.selectServer(first.id);
		else {
			this.server = null;
			this.openSession(null);
		}
	}

	clearProblem(): void {
		this.problem = null;
		this.changed();
	}

	private openSession(id: string | null): void {
		if (id !== (this.open?.session ?? null)) {
			this.open?.close();
			this.open = id === null ? null : new SessionStore(this.backend, id);
			void this.open?.open("");
		}
		this.changed();
	}

	private findSession(id: string): SessionRow | null {
		return (
			this.sessions.find((row) => row.id === id) ??
			this.servers.find((row) => row.session?.id === id)?.session ??
			null
		);
	}

	private takeSession(told: SessionRow): void {
		const row = this.newer(told);
		const others = this.sessions.filter((old) => old.id !== row.id);
		this.sessions = [...others, row].sort((a, b) => b.started_us - a.started_us);
		this.servers = this.servers.map((server) => {
			const newest = server.session === null || row.started_us >= server.session.started_us;
			return server.id === row.server_id && newest ? { ...server, session: row } : server;
		});
		this.changed();
	}

	/** An answer may be overtaken by an event that tells more: a session never goes back. */
	private newer(told: SessionRow): SessionRow {
		const known = this.findSession(told.id);
		return known && STEP[known.conn.state] > STEP[told.conn.state] ? known : told;
	}

	private async readServers(): Promise<void> {
		await this.attempt(async () => {
			const servers = await this.backend.call("list_servers", {});
			this.servers = servers.map((row) => (row.session ? { ...row, session: this.newer(row.session) } : row));
		});
		this.changed();
	}

	private async attempt<T>(act: () => Promise<T>): Promise<T | null> {
		try {
			return await act();
		} catch (error) {
			this.problem = words(error);
			this.changed();
			return null;
		}
	}
}

/** How far a session is. */
const STEP: Record<SessionRow["conn"]["state"], number> = {
	idle: 0,
	connecting: 1,
	connected: 2,
	failed: 3,
	closed: 3,
	"not-recording": 3,
};

/** Whether this app holds a connection, or is about to, in a session. */
export function isUp(row: SessionRow): boolean {
	return !row.elsewhere && (row.conn.state === "connected" || row.conn.state === "connecting");
}
