/** The rows of a session that match a filter: read, and followed as the log grows. */
import type { Backend } from "../ipc/backend";
import type { RecordRow } from "../ipc/bindings/RecordRow";
import type { RecordsAppended } from "../ipc/bindings/RecordsAppended";
import { words } from "./errors";
import { Observable } from "./observable";

/** Rows that are kept; the timeline has all. */
const MAX_ROWS = 20_000;
/** Rows that are read at a time. */
const CHUNK = 500;

export class Follow extends Observable {
	/** The newest of them, in the order of the log. */
	rows: readonly RecordRow[] = [];
	/** Rows in the log that match. */
	total = 0;
	/** Why the log cannot be read. */
	failure: string | null = null;
	private view: number | null = null;
	/** Index in the view of what is read next. */
	private next = 0;
	private reading = false;
	private ended = false;

	constructor(
		private readonly backend: Backend,
		private readonly session: string,
		private readonly filter: string,
	) {
		super();
	}

	/** Reads and follows until the answer is called. */
	start(): () => void {
		const listening = this.backend.listen("records-appended", (event) => this.apply(event));
		void this.open().catch(this.fail);
		return () => {
			this.ended = true;
			void listening.then((end) => end());
			if (this.view !== null)
				void this.backend.call("close_view", { view: this.view }).catch(() => undefined);
		};
	}

	private async open(): Promise<void> {
		const { session, filter } = this;
		const opened = await this.backend.call("open_view", { session, filter });
		this.view = opened.view;
		if (this.ended) {
			await this.backend.call("close_view", { view: opened.view });
			return;
		}
		this.total = opened.total;
		this.next = Math.max(0, opened.total - MAX_ROWS);
		await this.read();
	}

	private apply(event: RecordsAppended): void {
		if (event.view !== this.view) return;
		if (event.reset) {
			this.rows = [];
			this.next = Math.max(0, event.total - MAX_ROWS);
		}
		this.total = event.total;
		const changed = new Map(event.changed.map((row) => [row.seq, row]));
		if (this.rows.some((row) => changed.has(row.seq)))
			this.rows = this.rows.map((row) => changed.get(row.seq) ?? row);
		void this.read().catch(this.fail);
	}

	/** Reads what is missing, and says that more may come. */
	private async read(): Promise<void> {
		const { view } = this;
		if (this.reading || view === null) return;
		this.reading = true;
		try {
			while (this.next < this.total && !this.ended) {
				const n = Math.min(CHUNK, this.total - this.next);
				const rows = await this.backend.call("view_rows", { view, from: this.next, n });
				if (rows.length === 0) break;
				this.next += rows.length;
				this.rows = [...this.rows, ...rows].slice(-MAX_ROWS);
				this.changed();
			}
			await this.backend.call("ack", { view, total: this.total });
			this.changed();
		} finally {
			this.reading = false;
		}
	}

	private readonly fail = (error: unknown): void => {
		this.failure = words(error);
		this.changed();
	};
}
