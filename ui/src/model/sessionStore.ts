/** One session on the screen: its view under the current filter, and the selected record. */
import type { Backend } from "../ipc/backend";
import type { FilterProblem } from "../ipc/bindings/FilterProblem";
import type { RecordRow } from "../ipc/bindings/RecordRow";
import type { RecordsAppended } from "../ipc/bindings/RecordsAppended";
import { readAll } from "./body";
import { words } from "./errors";
import { Observable } from "./observable";
import { nextProblem } from "./problems";
import { RoundStore } from "./roundStore";
import { withTerm } from "./terms";
import { type Schedule, ViewStore } from "./viewStore";

/** How long a notice stays, milliseconds. */
const NOTICE_MS = 2500;

/** What is open in the dock. */
export interface DockState {
	/** The detail of the selected record. */
	detail: boolean;
	/** The detail's view that was chosen last. */
	view: FrameView;
	/** The card at the tail, all of it. */
	card: boolean;
	/** All that is laid out in the detail is folded or unfolded; null where only what lies deep is folded. */
	folded: boolean | null;
}

/** Views of a record, in their order. */
export const VIEWS = ["pretty", "raw", "headers", "pair"] as const;
export type FrameView = (typeof VIEWS)[number];

export class SessionStore extends Observable {
	/** The rows; the old ones stay until those of a new filter are here. */
	view: ViewStore | null = null;
	/** The filter as typed. */
	filter = "";
	/** What is wrong with the filter; the rows are then those of no filter. */
	problem: FilterProblem | null = null;
	/** Why the log cannot be read. */
	failure: string | null = null;
	/** The selected record and its place in the view, -1 where the filter hides it. */
	selected: { row: RecordRow; index: number } | null = null;
	/** Stick to the newest row. */
	follow = true;
	/** What was done last, in words; empty after a moment. */
	notice = "";
	/** The rows of another filter are on their way. */
	loading = false;
	/** How the dock stands; kept here because the dock is built anew where it is maximised. */
	dock: DockState = { detail: true, view: "pretty", card: true, folded: null };
	/** Calls that took several rounds. */
	readonly rounds: RoundStore;
	/** Which opening is the current one; late answers of others are closed. */
	private turn = 0;

	constructor(
		private readonly backend: Backend,
		readonly session: string,
		private readonly schedule?: Schedule,
	) {
		super();
		this.rounds = new RoundStore(backend, session);
	}

	/** Shows the rows that match `filter`. */
	async open(filter: string): Promise<void> {
		this.turn += 1;
		const { turn } = this;
		this.filter = filter;
		this.loading = true;
		this.changed();
		try {
			const opened = await this.backend.call("open_view", { session: this.session, filter });
			const view = new ViewStore(this.backend, opened, this.schedule);
			await view.load(this.follow ? view.total - 1 : 0);
			if (turn === this.turn) await this.take(view);
			else view.close();
		} catch (error) {
			if (turn !== this.turn) return;
			this.loading = false;
			this.failure = words(error);
			this.changed();
		}
	}

	/** Events of other views are not for us. */
	apply(event: RecordsAppended): void {
		this.view?.apply(event);
		const { selected } = this;
		const now = selected && event.changed.find((row) => row.seq === selected.row.seq);
		if (selected && now) this.choose({ row: now, index: selected.index });
	}

	/** Selects by place in the view. A row that is not here yet cannot be selected. */
	selectIndex(index: number): void {
		const row = this.view?.row(index);
		if (row) this.choose({ row, index });
	}

	/** Selects by number, also a record that the filter hides. */
	async selectSeq(seq: number): Promise<void> {
		const { session, view } = this;
		const [row, index] = await Promise.all([
			this.backend.call("get_record", { session, seq }),
			view?.indexOf(seq) ?? null,
		]);
		this.choose({ row, index: index ?? -1 });
	}

	/** The whole text of a record as received, however long. */
	async wholeText(seq: number): Promise<string> {
		const { session } = this;
		const frame = await this.backend.call("get_frame", { session, seq });
		if (frame.complete) return frame.text;
		return readAll(this.backend, session, seq, frame.size);
	}

	/** Shows only the rows that one more term holds for. */
	narrow(term: string): void {
		void this.open(withTerm(this.filter, term));
	}

	/** Selects the next or previous record that tells of something wrong; false where there is none. */
	async selectProblem(way: 1 | -1): Promise<boolean> {
		const from = this.selected?.row.seq ?? (way > 0 ? 0 : Number.MAX_SAFE_INTEGER);
		const filter = this.problem ? "" : this.filter;
		const seq = await nextProblem(this.backend, this.session, filter, from, way);
		if (seq !== null) await this.selectSeq(seq);
		return seq !== null;
	}

	/** Says what was done, for a moment. */
	tell(text: string): void {
		this.notice = text;
		this.changed();
		setTimeout(() => {
			if (this.notice !== text) return;
			this.notice = "";
			this.changed();
		}, NOTICE_MS);
	}

	/** Opens and closes parts of the dock. */
	show(change: Partial<DockState>): void {
		this.dock = { ...this.dock, ...change };
		this.changed();
	}

	clearSelection(): void {
		this.choose(null);
	}

	setFollow(follow: boolean): void {
		if (follow === this.follow) return;
		this.follow = follow;
		this.changed();
	}

	close(): void {
		this.turn += 1;
		this.view?.close();
		this.view = null;
	}

	private async take(view: ViewStore): Promise<void> {
		this.view?.close();
		this.view = view;
		this.problem = view.problem;
		this.failure = null;
		this.loading = false;
		view.begin();
		this.changed();
		if (!this.selected) return;
		const { row } = this.selected;
		const index = (await view.indexOf(row.seq)) ?? -1;
		if (this.view === view && this.selected?.row.seq === row.seq) this.choose({ row, index });
	}

	private choose(selected: SessionStore["selected"]): void {
		this.selected = selected;
		this.changed();
	}
}
