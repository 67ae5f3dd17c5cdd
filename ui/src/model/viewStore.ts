/**
 * A window over one filtered view of a session's log. It knows how many rows there are and keeps pages of those
 * that were asked for; the log itself stays in the host. Events are hints: whatever they miss is pulled.
 */
import type { Backend } from "../ipc/backend";
import type { FilterProblem } from "../ipc/bindings/FilterProblem";
import type { RecordRow } from "../ipc/bindings/RecordRow";
import type { RecordsAppended } from "../ipc/bindings/RecordsAppended";
import type { ViewRow } from "../ipc/bindings/ViewRow";
import { words } from "./errors";
import { Observable } from "./observable";
import { PAGE, Pages } from "./pages";

/** Pulls on their way at a time; what is wanted may have scrolled on by the time one returns. */
const MAX_PULLS = 2;

/** Calls back before the next frame is drawn. */
export type Schedule = (draw: () => void) => void;

export class ViewStore extends Observable {
	readonly view: number;
	readonly problem: FilterProblem | null;
	/** Rows that match. */
	total: number;
	/** Records in the log. */
	logTotal: number;
	/** Why the rows in sight could not be pulled; null where they could. */
	failure: string | null = null;
	/** Grows when indexes lose their meaning (`reset`), so that late answers are dropped. */
	epoch = 0;
	private readonly pages = new Pages<RecordRow>();
	private readonly pulling = new Set<number>();
	/** Pages that were pulled and still have holes: not asked for again until something changes. */
	private readonly tried = new Set<number>();
	private wanted: readonly [from: number, to: number] = [0, 0];
	private dirty = false;
	private closed = false;

	constructor(
		private readonly backend: Backend,
		opened: ViewRow,
		private readonly schedule: Schedule = (draw) => requestAnimationFrame(draw),
	) {
		super();
		this.view = opened.view;
		this.problem = opened.problem;
		this.total = opened.total;
		this.logTotal = opened.log_total;
	}

	/** The row at `index`, if it is here; rows that are not come after {@link want}. */
	row(index: number): RecordRow | undefined {
		return this.pages.get(index);
	}

	/** Rows `from` up to `to` are in sight: pulls those that are missing. */
	want(from: number, to: number): void {
		const [oldFrom, oldTo] = this.wanted;
		this.wanted = [Math.max(0, from), to];
		if (from !== oldFrom || to !== oldTo) this.tried.clear();
		this.pull();
	}

	/** Pulls the page with row `index`, so that the first drawing has something to show. */
	async load(index: number): Promise<void> {
		if (this.total > 0) await this.pullPage(Math.floor(index / PAGE));
	}

	/** Pulls anew what could not be pulled. */
	retry(): void {
		this.tried.clear();
		this.pull();
	}

	/** Tells the host that events may come: one that overtook the answer to `open_view` was not taken in. */
	begin(): void {
		this.acknowledge();
	}

	/** Takes an event in and acknowledges it. Events of other views are not for us. */
	apply(event: RecordsAppended): void {
		if (event.view !== this.view || this.closed) return;
		if (event.reset) {
			this.epoch += 1;
			this.pages.clear();
			this.pulling.clear();
			this.total = event.total;
		}
		// An event that was overtaken must not shorten the list.
		this.total = Math.max(this.total, event.total);
		this.logTotal = Math.max(this.logTotal, event.log_total);
		this.pages.put(event.total - event.rows.length, event.rows);
		for (const row of event.changed) this.pages.replace(row, (old) => old.seq === row.seq);
		this.tried.clear();
		this.acknowledge();
		this.markDirty();
		this.pull();
	}

	/** Index of a record, or null where the filter hides it. */
	indexOf(seq: number): Promise<number | null> {
		return this.backend.call("view_index", { view: this.view, seq });
	}

	/** Ends the view; whatever still arrives is dropped. */
	close(): void {
		this.closed = true;
		void this.backend.call("close_view", { view: this.view }).catch(() => undefined);
	}

	private pull(): void {
		const [from, to] = this.wanted;
		for (let page = Math.floor(from / PAGE); page * PAGE < Math.min(to, this.total); page += 1) {
			if (this.pulling.size >= MAX_PULLS) return;
			if (this.pulling.has(page) || this.tried.has(page) || this.pages.complete(page, this.total)) continue;
			void this.pullPage(page);
		}
	}

	private async pullPage(page: number): Promise<void> {
		const { epoch } = this;
		this.pulling.add(page);
		let failure: string | null = null;
		const rows = await this.backend
			.call("view_rows", { view: this.view, from: page * PAGE, n: PAGE })
			.catch((error: unknown) => {
				failure = words(error);
				return null;
			});
		if (this.closed || epoch !== this.epoch) return;
		this.pulling.delete(page);
		this.tried.add(page);
		this.failure = failure;
		if (rows) this.pages.put(page * PAGE, rows);
		this.markDirty();
		this.pull();
	}

	private acknowledge(): void {
		void this.backend.call("ack", { view: this.view, total: this.total }).catch(() => undefined);
	}

	/** One notification per animation frame, however many events it brings. */
	private markDirty(): void {
		if (this.dirty) return;
		this.dirty = true;
		this.schedule(() => {
			this.dirty = false;
			if (!this.closed) this.changed();
		});
	}
}
