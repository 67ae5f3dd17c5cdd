/** The page of all sessions: which match, in what order, and which are checked. */
import type { Backend } from "../ipc/backend";
import type { FilterProblem } from "../ipc/bindings/FilterProblem";
import type { SessionRow } from "../ipc/bindings/SessionRow";
import { isWrongPassphrase, type LockedFile } from "../ipc/secrets";
import { words } from "./errors";
import { Observable } from "./observable";

/** Sessions that are asked for first, so that a long list is not waited for. */
const FIRST = 200;

/** Sessions that the page holds at most. */
const LIMIT = 50_000;

/** Pause after which a list that others have changed is read again, milliseconds. */
const SETTLE = 500;

/** A column that can be sorted by. */
export type SortKey =
	| "session"
	| "origin"
	| "revision"
	| "started"
	| "duration"
	| "frames"
	| "errors"
	| "size"
	| "ended"
	| "tags";

export interface Sort {
	key: SortKey;
	/** Greatest first. */
	down: boolean;
}

/** What happened to sessions last, with its way back where there is one. */
export interface Told {
	text: string;
	/** Sessions that can be restored. */
	undo: string[];
}

/** A file that needs a passphrase. */
export interface Locked extends LockedFile {
	/** It is being opened. */
	busy: boolean;
	/** Why the last passphrase did not open it. */
	problem: string | null;
}

export class SessionList extends Observable {
	/** The query as typed. */
	query = "";
	/** Sessions that match it, newest first. */
	rows: SessionRow[] = [];
	/** How many match, and how many there are. */
	matching = 0;
	kept = 0;
	diskBytes = 0;
	/** What is wrong with the query; all sessions are then shown. */
	problem: FilterProblem | null = null;
	/** What this app could not do, in words. */
	failure: string | null = null;
	sort: Sort = { key: "started", down: true };
	/** Sessions chosen for export or deletion. */
	readonly checked = new Set<string>();
	/** The session under the cursor. */
	current: string | null = null;
	told: Told | null = null;
	/** Files that need a passphrase to be imported. */
	locked: Locked[] = [];
	/** The rows are being read; those here are of before. */
	loading = false;
	/** They were read once. */
	ready = false;
	private wanted = false;
	private turn = 0;
	private timer: ReturnType<typeof setTimeout> | null = null;

	constructor(private readonly backend: Backend) {
		super();
	}

	/** The page is shown: from now on the list is kept up to date. */
	want(): void {
		if (this.wanted) return;
		this.wanted = true;
		void this.refresh();
	}

	/** Shows the sessions that match. */
	async find(query: string): Promise<void> {
		this.query = query;
		this.wanted = true;
		await this.refresh();
	}

	/** Reads the list again. */
	async refresh(): Promise<void> {
		if (!this.wanted) return;
		this.turn += 1;
		const { turn } = this;
		this.loading = true;
		this.changed();
		for (const limit of this.ready ? [LIMIT] : [FIRST, LIMIT]) {
			await this.read(limit, turn);
			if (turn !== this.turn) return;
			if (this.failure !== null || this.rows.length >= this.matching) break;
		}
		this.loading = false;
		this.changed();
	}

	/** A session as it stands now. One that is new here may match or not: the host knows. */
	take(row: SessionRow): void {
		if (!this.wanted) return;
		const at = this.rows.findIndex((old) => old.id === row.id);
		// An answer that is on its way may be older than what was just told.
		if (at < 0 || this.loading) this.refreshSoon();
		if (at >= 0) {
			this.rows = this.rows.with(at, row);
			this.changed();
		}
	}

	sortBy(key: SortKey): void {
		const { sort } = this;
		this.sort = { key, down: sort.key === key ? !sort.down : NUMBERS.has(key) };
		this.changed();
	}

	/** Puts the cursor on a session. */
	choose(id: string | null): void {
		this.current = id;
		this.changed();
	}

	check(ids: readonly string[], on: boolean): void {
		for (const id of ids) {
			if (on) this.checked.add(id);
			else this.checked.delete(id);
		}
		this.changed();
	}

	/** Says what was done; a new word takes the place of the old one. */
	tell(told: Told | null): void {
		this.told = told;
		this.changed();
	}

	async rename(session: string, name: string): Promise<void> {
		await this.change(() => this.backend.call("rename_session", { session, name: name.trim() }));
	}

	/** Tags as typed, with spaces or commas between them. */
	async tag(session: string, text: string): Promise<void> {
		const tags = [...new Set(text.split(/[\s,]+/).filter(Boolean))];
		await this.change(() => this.backend.call("tag_session", { session, tags }));
	}

	async pin(row: SessionRow): Promise<void> {
		await this.change(() => this.backend.call("pin_session", { session: row.id, pinned: !row.pinned }));
	}

	async restore(): Promise<void> {
		const sessions = this.told?.undo ?? [];
		await this.attempt(async () => {
			await this.backend.call("restore_sessions", { sessions });
			this.told = null;
			this.current = sessions[0] ?? this.current;
			await this.refresh();
		});
	}

	/** Asks for files, and puts the cursor on what came from them. */
	async importFiles(): Promise<void> {
		await this.attempt(async () => {
			const { sessions, locked } = await this.backend.call("import_sessions", {});
			this.locked.push(...locked.map((file) => ({ ...file, busy: false, problem: null })));
			await this.imported(sessions);
		});
	}

	/** Opens a file that needs a passphrase; a wrong one can be corrected. */
	async openLocked(id: number, passphrase: string): Promise<void> {
		this.setLocked(id, { busy: true, problem: null });
		try {
			const row = await this.backend.call("import_locked", { id, passphrase });
			this.locked = this.locked.filter((file) => file.id !== id);
			await this.imported([row]);
		} catch (error) {
			this.setLocked(id, {
				busy: false,
				problem: isWrongPassphrase(error) ? "This passphrase does not open it" : words(error),
			});
		}
		this.changed();
	}

	async forgetLocked(id: number): Promise<void> {
		this.locked = this.locked.filter((file) => file.id !== id);
		await this.attempt(async () => void (await this.backend.call("forget_locked", { id })));
	}

	private setLocked(id: number, change: Partial<Locked>): void {
		this.locked = this.locked.map((file) => (file.id === id ? { ...file, ...change } : file));
		this.changed();
	}

	private async imported(rows: readonly SessionRow[]): Promise<void> {
		if (rows.length === 0) return;
		this.current = rows[0]?.id ?? null;
		this.told = {
			text: `Imported ${rows.length === 1 ? "1 session" : `${rows.length} sessions`}`,
			undo: [],
		};
		await this.refresh();
	}

	/** Does something whose failure is said on the page. */
	async attempt(act: () => Promise<void>): Promise<void> {
		try {
			await act();
			this.failure = null;
		} catch (error) {
			this.failure = words(error);
		}
		this.changed();
	}

	/** Takes in the newest sessions that match, unless the list was asked for anew meanwhile. */
	private async read(limit: number, turn: number): Promise<void> {
		try {
			const list = await this.backend.call("list_sessions", { query: this.query, limit });
			if (turn !== this.turn) return;
			this.rows = list.rows;
			this.matching = list.matching;
			this.kept = list.kept;
			this.diskBytes = list.disk_bytes;
			this.problem = list.problem;
			this.failure = null;
			this.ready = true;
		} catch (error) {
			if (turn === this.turn) this.failure = words(error);
		}
		this.changed();
	}

	private change(act: () => Promise<SessionRow>): Promise<void> {
		return this.attempt(async () => this.take(await act()));
	}

	private refreshSoon(): void {
		this.timer ??= setTimeout(() => {
			this.timer = null;
			void this.refresh();
		}, SETTLE);
	}
}

/** Columns of which the greatest is looked for first. */
const NUMBERS: ReadonlySet<SortKey> = new Set(["started", "duration", "frames", "errors", "size"]);

/** Microseconds that a session has lasted. */
export function lasted(row: SessionRow, nowUs: number): number {
	return Math.max(0, (row.ended_us ?? nowUs) - row.started_us);
}

/** What the user calls a session. */
export function titleOf(row: SessionRow): string {
	return row.name ?? `${row.server_name} #${row.number}`;
}

const VALUES: Record<SortKey, (row: SessionRow, nowUs: number) => string | number> = {
	session: (row) => (row.name ?? `${row.server_name} ${String(row.number).padStart(9, "0")}`).toLowerCase(),
	origin: (row) => row.origin,
	revision: (row) => row.revision ?? "",
	started: (row) => row.started_us,
	duration: lasted,
	frames: (row) => row.frames,
	errors: (row) => row.errors,
	size: (row) => row.bytes,
	ended: (row) => (row.conn.state === "closed" ? row.conn.outcome : row.conn.state),
	tags: (row) => row.tags.join(" "),
};

/** In the order asked for; equals stay newest first. */
export function sorted(rows: readonly SessionRow[], { key, down }: Sort, nowUs: number): SessionRow[] {
	const sign = down ? -1 : 1;
	const value = VALUES[key];
	const keyed = rows.map((row) => ({ row, by: value(row, nowUs) }));
	keyed.sort((a, b) => (a.by === b.by ? b.row.started_us - a.row.started_us : a.by < b.by ? -sign : sign));
	return keyed.map(({ row }) => row);
}
