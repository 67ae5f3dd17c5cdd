/** The calls of a session that took several rounds, as far as its log tells; and which of them are folded. */
import type { Backend } from "../ipc/backend";
import type { RecordRow } from "../ipc/bindings/RecordRow";
import { readAll } from "./body";
import { words } from "./errors";
import { Follow } from "./follow";
import { at, readJson } from "./json/tree";
import { Observable } from "./observable";
import { type Place, placesOf, type RoundedCall, type RoundFrame, roundedCalls } from "./rounds";

/** Requests that may take rounds. */
const METHODS = "method:tools/call,prompts/get,resources/read";

/** A record of a call of several rounds, and whether they are folded away. */
export interface Lead {
	place: Place;
	folded: boolean;
}

export class RoundStore extends Observable {
	calls: readonly RoundedCall[] = [];
	/** Why the log cannot be read. */
	failure: string | null = null;
	private places: ReadonlyMap<number, Place> = new Map();
	/** First requests of the calls whose rounds are folded away. */
	private readonly folded = new Set<number>();
	private readonly leads = new WeakMap<Place, Lead>();
	private readonly bodies = new Map<number, RoundFrame>();
	private reading = false;
	/** What is to be read next. */
	private latest: Parameters<RoundStore["take"]> | null = null;

	constructor(
		private readonly backend: Backend,
		private readonly session: string,
	) {
		super();
	}

	/** Reads and follows until the answer is called. */
	start(): () => void {
		const follow = (filter: string) => new Follow(this.backend, this.session, filter);
		const asks = follow(`kind:result ${METHODS} input_required`);
		const retries = ["requestState", "inputResponses"].map((member) =>
			follow(`kind:request dir:c2s ${METHODS} ${member}`),
		);
		const notes = follow("kind:note");
		const all = [asks, ...retries, notes];
		const read = () => {
			const requests = retries.flatMap(({ rows }) => rows);
			void this.read(asks.rows, requests, notes.rows);
		};
		// The notes alone tell nothing of rounds.
		for (const one of all)
			one.subscribe(() => {
				this.failure ??= one.failure;
				if (asks.rows.length > 0) read();
			});
		const ends = all.map((one) => one.start());
		return () => {
			for (const end of ends) end();
		};
	}

	/** Where a record stands in a call of several rounds; null where it is in none. */
	of(seq: number): Place | null {
		return this.places.get(seq) ?? null;
	}

	/** The same while nothing changes, so that a row need not be drawn again. */
	lead(seq: number): Lead | null {
		const place = this.of(seq);
		if (!place) return null;
		const folded = this.isFolded(place.call);
		const known = this.leads.get(place);
		if (known?.folded === folded) return known;
		const lead = { place, folded };
		this.leads.set(place, lead);
		return lead;
	}

	isFolded(call: RoundedCall): boolean {
		return this.folded.has(call.first);
	}

	/** Folds the rounds of a call under its first request, or unfolds them. */
	fold(call: RoundedCall, folded: boolean): void {
		if (this.isFolded(call) === folded) return;
		if (folded) this.folded.add(call.first);
		else this.folded.delete(call.first);
		this.changed();
	}

	/** Records that are folded away, in no order. */
	hidden(): number[] {
		return this.calls.flatMap((call) => (this.isFolded(call) ? call.members : []));
	}

	/** One reading at a time; what came meanwhile is read after it. */
	private async read(...what: Parameters<RoundStore["take"]>): Promise<void> {
		this.latest = what;
		if (this.reading) return;
		this.reading = true;
		try {
			while (this.latest) {
				const next: Parameters<RoundStore["take"]> = this.latest;
				this.latest = null;
				await this.take(...next);
			}
		} catch (error) {
			this.failure = words(error);
			this.changed();
		} finally {
			this.reading = false;
		}
	}

	private async take(
		asks: readonly RecordRow[],
		retries: readonly RecordRow[],
		notes: readonly RecordRow[],
	): Promise<void> {
		const interim = await this.frames(asks, "result");
		const rows = new Map(retries.map((row) => [row.seq, row]));
		const began = interim.flatMap(({ row: { reply_to } }) => reply_to ?? []);
		for (const seq of began) {
			if (!rows.has(seq)) rows.set(seq, await this.record(seq));
		}
		const requests = await this.frames([...rows.values()], "params");
		this.calls = roundedCalls(
			requests,
			interim.filter(({ body }) => at(readJson(body), "resultType")?.raw === '"input_required"'),
			notes,
		);
		this.places = placesOf(this.calls, notes);
		this.changed();
	}

	private async record(seq: number): Promise<RecordRow> {
		const known = this.bodies.get(seq)?.row;
		// A request that is answered changes no more.
		if (known?.answer != null) return known;
		return this.backend.call("get_record", { session: this.session, seq });
	}

	private frames(rows: readonly RecordRow[], member: "params" | "result"): Promise<RoundFrame[]> {
		return Promise.all(
			rows.map(async (row) => {
				const body = this.bodies.get(row.seq)?.body ?? (await this.body(row, member));
				const frame = { row, body };
				this.bodies.set(row.seq, frame);
				return frame;
			}),
		);
	}

	private async body(row: RecordRow, member: "params" | "result"): Promise<string> {
		const { session, backend } = this;
		const frame = row.whole === null ? await backend.call("get_frame", { session, seq: row.seq }) : null;
		const whole = frame && !frame.complete ? await readAll(backend, session, row.seq, frame.size) : null;
		return at(readJson(row.whole ?? whole ?? frame?.message ?? frame?.text ?? ""), member)?.raw ?? "";
	}
}
