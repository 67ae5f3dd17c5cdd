/** The search through the records of all sessions: hits as they come, grouped by session. */
import type { Backend } from "../ipc/backend";
import type { HitRow } from "../ipc/bindings/HitRow";
import type { SearchFound } from "../ipc/bindings/SearchFound";
import type { SessionRow } from "../ipc/bindings/SessionRow";
import { words } from "./errors";
import { Observable } from "./observable";

/** The hits of one session. */
export interface HitGroup {
	session: string;
	/** What is known of it; null until it was read. */
	row: SessionRow | null;
	hits: HitRow[];
}

export class SearchStore extends Observable {
	/** What is looked for; null where nothing was. */
	query: string | null = null;
	/** In the order of the host: newest session first. */
	groups: HitGroup[] = [];
	hits = 0;
	/** Looked through so far. */
	sessions = 0;
	records = 0;
	ofSessions = 0;
	running = false;
	/** The user ended it before it was through. */
	stopped = false;
	/** There may be more hits. */
	limited = false;
	/** Sessions that could not be read. */
	problems: string[] = [];
	/** Why there is no search, in words. */
	failure: string | null = null;
	/** How long it took or takes, milliseconds. */
	tookMs = 0;
	/** The group and the hit in it under the cursor. */
	current: { session: string; seq: number } | null = null;
	private id: number | null = null;
	private turn = 0;
	private startedAt = 0;
	/** Events may overtake the answer that tells the search's number. */
	private early: SearchFound[] = [];

	constructor(
		private readonly backend: Backend,
		private readonly now: () => number = () => performance.now(),
	) {
		super();
	}

	async start(query: string): Promise<void> {
		this.clear();
		const { turn } = this;
		this.query = query;
		this.running = true;
		this.startedAt = this.now();
		this.changed();
		try {
			const id = await this.backend.call("start_search", { query });
			if (turn !== this.turn) return;
			this.id = id;
			for (const event of this.early.splice(0)) this.take(event);
		} catch (error) {
			if (turn !== this.turn) return;
			this.running = false;
			this.failure = words(error);
			this.changed();
		}
	}

	/** Ends it; what was found stays. */
	async stop(): Promise<void> {
		if (!this.running || this.id === null) return;
		this.running = false;
		this.stopped = true;
		this.tookMs = this.now() - this.startedAt;
		this.changed();
		await this.backend.call("stop_search", { search: this.id }).catch(() => undefined);
	}

	/** Ends it and forgets what was found. */
	clear(): void {
		void this.stop();
		this.turn += 1;
		this.id = null;
		this.early = [];
		this.query = null;
		this.groups = [];
		this.problems = [];
		this.failure = null;
		this.current = null;
		this.running = false;
		this.stopped = false;
		this.limited = false;
		[this.hits, this.sessions, this.records, this.ofSessions, this.tookMs] = [0, 0, 0, 0, 0];
		this.changed();
	}

	/** Event `search-found`. */
	take(event: SearchFound): void {
		if (this.id === null && this.running) {
			this.early.push(event);
			return;
		}
		if (event.search !== this.id || !this.running) return;
		for (const hit of event.hits) this.group(hit.session).hits.push(hit);
		this.hits += event.hits.length;
		this.sessions = event.sessions;
		this.records = event.records;
		this.ofSessions = event.of_sessions;
		this.problems = [...new Set([...this.problems, ...event.problems])];
		this.limited = event.limited;
		this.running = !event.done;
		this.tookMs = this.now() - this.startedAt;
		this.changed();
	}

	/** Puts the cursor on a hit. */
	choose(session: string, seq: number): void {
		this.current = { session, seq };
		this.changed();
	}

	private group(session: string): HitGroup {
		const last = this.groups.at(-1);
		const known = last?.session === session ? last : this.groups.find((other) => other.session === session);
		if (known) return known;
		const group: HitGroup = { session, row: null, hits: [] };
		this.groups.push(group);
		void this.name(group);
		return group;
	}

	/** A group without a name is still a group: its hits can be opened. */
	private async name(group: HitGroup): Promise<void> {
		const row = await this.backend.call("get_session", { session: group.session }).catch(() => null);
		group.row = row;
		this.changed();
	}
}
