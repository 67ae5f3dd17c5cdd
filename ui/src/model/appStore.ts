/** What the window shows: the servers, the newest sessions, and the one that is open. */
import type { AppInfo, Backend } from "../ipc/backend";
import type { ServerDraft } from "../ipc/bindings/ServerDraft";
import type { ServerRow } from "../ipc/bindings/ServerRow";
import type { SessionRow } from "../ipc/bindings/SessionRow";
import type { StatsRow } from "../ipc/bindings/StatsRow";
import { AuthStore, needsSignIn } from "./auth";
import { BothEras } from "./bothEras";
import { DoctorStore } from "./doctor";
import { Drafts } from "./drafts";
import { codeOf, words } from "./errors";
import { ExportStore } from "./exporting";
import { InputStore } from "./inputs";
import { ListPages } from "./listPages";
import { Observable } from "./observable";
import { OfferStore } from "./offers";
import { Reading } from "./reading";
import { SearchStore } from "./search";
import { SecretStore } from "./secretStore";
import { draftOf, ServerForms } from "./serverDraft";
import { ServerInfos } from "./serverInfo";
import { SessionList } from "./sessionList";
import { SessionStore } from "./sessionStore";
import { SkillStore } from "./skills";
import { StatelessStore } from "./stateless";
import { Subscriptions } from "./subscriptions";

/** Sessions that the rail lists. */
const SESSIONS = 20;

/** What is right of the rail: the open session, a server's form, all sessions, the settings, or this app's own log. */
export type Page = "session" | "server" | "sessions" | "settings" | "app-log";

export class AppStore extends Observable {
	info: AppInfo | null = null;
	servers: ServerRow[] = [];
	/** Newest first. */
	sessions: SessionRow[] = [];
	/** Sessions that are kept in all. */
	kept = 0;
	/** What the status bar says; null before the host has said it. */
	stats: StatsRow | null = null;
	/** The chosen server; null where a session of none is open. */
	server: string | null = null;
	/** The open session's rows; null for a server that was never started. */
	open: SessionStore | null = null;
	page: Page = "session";
	/** The server that the form changes; a new one where null. */
	editing: ServerRow | null = null;
	/** The server whose command is to be seen and confirmed before it is started. */
	consent: string | null = null;
	/** The first lists are here. */
	ready = false;
	/** What this app could not do last, in words. */
	problem: string | null = null;
	/** What is chosen and typed for tools. */
	readonly drafts = new Drafts();
	/** What is typed for servers. */
	readonly forms = new ServerForms();
	/** The page of all sessions, and the search through them. */
	readonly list: SessionList;
	readonly search: SearchStore;
	readonly exporting: ExportStore;
	readonly secrets: SecretStore;
	readonly doctor: DoctorStore;
	/** What servers ask. */
	readonly inputs: InputStore;
	/** What servers offer beside tools, and how they introduced themselves. */
	readonly offers: OfferStore;
	readonly infos: ServerInfos;
	readonly subscriptions: Subscriptions;
	readonly skills: SkillStore;
	readonly bothEras: BothEras;
	readonly stateless: StatelessStore;
	readonly auth: AuthStore;
	/** Lists that are read page by page. */
	readonly pages: ListPages;
	/** Opened sessions that are not among the newest. */
	private readonly others = new Map<string, SessionRow>();
	private readonly serversRead = new Reading(
		() => this.backend.call("list_servers", {}),
		(servers) => this.takeServers(servers),
	);
	private readonly sessionsRead = new Reading(
		() => this.backend.call("list_sessions", { query: "", limit: SESSIONS }),
		({ rows, kept }) => {
			this.sessions = rows.map((row) => this.newer(row));
			this.kept = kept;
		},
	);

	constructor(readonly backend: Backend) {
		super();
		this.list = new SessionList(backend);
		this.search = new SearchStore(backend);
		this.exporting = new ExportStore(backend);
		this.secrets = new SecretStore(backend, () => void this.readServers());
		this.doctor = new DoctorStore(backend);
		this.inputs = new InputStore(backend);
		this.offers = new OfferStore(backend);
		this.infos = new ServerInfos(backend);
		this.subscriptions = new Subscriptions(backend);
		this.skills = new SkillStore(backend);
		this.bothEras = new BothEras(backend);
		this.auth = new AuthStore(backend, (server) => void this.reconnectSignedIn(server));
		this.stateless = new StatelessStore(backend);
		this.pages = new ListPages(backend);
	}

	/** Listens, reads the lists, and opens the first server. Returns what ends the listening. */
	async start(): Promise<() => void> {
		const ends = await Promise.all([
			this.backend.listen("records-appended", (event) => this.open?.apply(event)),
			this.backend.listen("session-changed", (row) => this.takeSession(row)),
			this.backend.listen("servers-changed", () => void this.readServers()),
			this.backend.listen("sessions-changed", () => void this.readSessions()),
			this.backend.listen("search-found", (event) => this.search.take(event)),
			this.backend.listen("doctor-changed", (event) => this.doctor.take(event)),
			this.backend.listen("stats", (stats) => this.takeStats(stats)),
		]);
		// A keychain may take seconds to answer: nothing waits for it.
		void this.attempt(() => this.secrets.read());
		await Promise.all([this.readInfo(), this.readServers(), this.readSessions(), this.readStats()]);
		this.ready = true;
		const first = this.servers[0];
		// Who was faster than the lists keeps what they opened.
		if (first && this.page === "session" && this.server === null) this.selectServer(first.id);
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

	/** The live session of a server: the one that is shown where it lives, since a call in both eras leaves two; else the newest. */
	liveOf(server: ServerRow): SessionRow | null {
		const shown = this.session;
		const candidates = [shown?.server_id === server.id ? shown : null, server.session];
		return candidates.find((row) => row !== null && isUp(row)) ?? null;
	}

	/** The chosen server as it stands. */
	get serverRow(): ServerRow | null {
		return this.servers.find((row) => row.id === this.server) ?? null;
	}

	show(page: Page): void {
		this.page = page;
		this.changed();
	}

	selectServer(id: string): void {
		this.page = "session";
		this.server = id;
		const row = this.serverRow;
		this.consent = row?.unconfirmed ? id : null;
		this.openSession(row?.session?.id ?? null);
	}

	selectSession(id: string): void {
		this.page = "session";
		this.consent = null;
		this.server = this.findSession(id)?.server_id ?? null;
		this.openSession(id);
	}

	/** Opens any session that is kept, and selects a record in it where one is named. */
	async showSession(id: string, seq: number | null = null): Promise<void> {
		await this.attempt(async () => {
			if (!this.findSession(id)) this.others.set(id, await this.backend.call("get_session", { session: id }));
			this.selectSession(id);
			const { open } = this;
			if (seq === null || !open) return;
			open.setFollow(false);
			open.show({ detail: true });
			if (open.filter !== "") await open.open("");
			await open.selectSeq(seq);
		});
	}

	/** Shows the form for a new server, or for one that is there. */
	edit(server: ServerRow | null): void {
		this.editing = server;
		this.show("server");
	}

	/** Examines a server, as it is typed, beside its form. */
	examine(server: ServerRow | null): void {
		this.edit(server);
		void this.doctor.start(draftOf(this.forms.of(server), server));
	}

	/** Starts a new session and opens it. Null where that failed or first needs consent; `problem` or the page then says why. */
	async connect(server: string): Promise<SessionRow | null> {
		if (this.servers.find((row) => row.id === server)?.unconfirmed) {
			this.selectServer(server);
			return null;
		}
		return this.attempt(async () => {
			try {
				const session = await this.backend.call("open_session", { server });
				this.takeSession(session);
				this.selectSession(session.id);
				return session;
			} catch (error) {
				if (codeOf(error) !== "needs_consent") throw error;
				await this.readServers();
				this.selectServer(server);
				return null;
			}
		});
	}

	/** The user has seen the whole command and wants it started. */
	async confirm(server: string): Promise<SessionRow | null> {
		const row = await this.attempt(() => this.backend.call("confirm_server", { server }));
		if (!row) return null;
		await this.readServers();
		this.consent = null;
		return this.connect(server);
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

	/** Somebody has signed in: what was refused is tried again, where it is still looked at. */
	private async reconnectSignedIn(server: string): Promise<void> {
		const { page } = this;
		const row = this.servers.find((one) => one.id === server)?.session;
		if (this.server !== server || !needsSignIn(row?.conn)) return;
		await this.connect(server);
		// Who looks at the steps goes on looking at them.
		if (page === "server") this.show(page);
	}

	/** Ends the server's live session, if there is one, and starts a new one. */
	async restart(server: string): Promise<SessionRow | null> {
		const row = this.servers.find((other) => other.id === server);
		const live = row && this.liveOf(row);
		if (live) await this.disconnect(live.id);
		return this.connect(server);
	}

	/** Saves a server, new or changed, and chooses it. Throws where what was typed cannot be used. */
	async saveServer(draft: ServerDraft): Promise<ServerRow> {
		const row = await this.backend.call("save_server", { draft });
		this.forms.drop(draft.id ?? null);
		await this.readServers();
		this.selectServer(row.id);
		return row;
	}

	/** Makes a copy and shows its form. */
	async duplicateServer(server: string): Promise<void> {
		const row = await this.attempt(() => this.backend.call("duplicate_server", { server }));
		if (!row) return;
		await this.readServers();
		this.selectServer(row.id);
		this.edit(row);
	}

	async deleteServer(server: string): Promise<void> {
		await this.attempt(() => this.backend.call("delete_server", { server }));
		this.forms.drop(server);
		await this.readServers();
		if (this.page === "server" && this.editing?.id === server) this.page = "session";
		this.changed();
		if (this.server !== server) return;
		const first = this.servers[0];
		if (first) this.selectServer(first.id);
		else {
			this.server = null;
			this.openSession(null);
		}
	}

	/** Tells what this app could not do. */
	tell(problem: string): void {
		this.problem = problem;
		this.changed();
	}

	/** Moves sessions to the trash; throws where that cannot be done. */
	async deleteSessions(sessions: string[]): Promise<void> {
		await this.backend.call("delete_sessions", { sessions });
		for (const id of sessions) this.others.delete(id);
		if (this.open && sessions.includes(this.open.session)) this.openSession(null);
		await this.readSessions();
	}

	clearProblem(): void {
		this.problem = null;
		this.changed();
	}

	private async readInfo(): Promise<void> {
		await this.attempt(async () => {
			this.info = await this.backend.call("app_info", {});
		});
	}

	/** Reads the list of servers again. */
	async readServers(): Promise<void> {
		await this.attempt(() => this.serversRead.again());
		this.changed();
	}

	private takeServers(servers: ServerRow[]): void {
		this.servers = servers.map((row) => (row.session ? { ...row, session: this.newer(row.session) } : row));
		if (this.editing) this.editing = this.servers.find((row) => row.id === this.editing?.id) ?? null;
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
			this.others.get(id) ??
			null
		);
	}

	private takeSession(told: SessionRow): void {
		const row = this.newer(told);
		const unknown = !this.findSession(row.id);
		if (unknown) this.meet(row);
		const others = this.sessions.filter((old) => old.id !== row.id);
		this.sessions = [...others, row].sort((a, b) => b.started_us - a.started_us).slice(0, SESSIONS);
		if (this.others.has(row.id)) this.others.set(row.id, row);
		this.servers = this.servers.map((server) => {
			const newest = server.session === null || row.started_us >= server.session.started_us;
			return server.id === row.server_id && newest ? { ...server, session: row } : server;
		});
		this.list.take(row);
		// A server that was restarted because its files changed goes on where one is looking.
		if (unknown && row.previous !== null && row.previous === this.open?.session && isUp(row))
			this.openSession(row.id);
		this.changed();
	}

	/** A session that was not known: lists that are on their way may lack it. */
	private meet(row: SessionRow): void {
		const newest = this.sessions[0];
		if (!newest || row.started_us > newest.started_us) this.kept += 1;
		this.serversRead.overtake();
		this.sessionsRead.overtake();
	}

	/** An answer may be overtaken by an event that tells more: a session never goes back. */
	private newer(told: SessionRow): SessionRow {
		const known = this.findSession(told.id);
		return known && STEP[known.conn.state] > STEP[told.conn.state] ? known : told;
	}

	private takeStats(stats: StatsRow): void {
		this.stats = stats;
		this.changed();
	}

	private async readSessions(): Promise<void> {
		await this.attempt(() => this.sessionsRead.again());
		this.changed();
		await this.list.refresh();
	}

	/** The status bar is worth no message of its own. */
	private async readStats(): Promise<void> {
		const stats = await this.backend.call("get_stats", {}).catch(() => null);
		if (stats && this.stats === null) this.takeStats(stats);
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
