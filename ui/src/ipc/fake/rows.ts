/** A session's log in memory, with just enough pairing and summaries to look like one of the host's. */
import type { RecordRow } from "../bindings/RecordRow";

/** A record as a script writes it. */
export interface Entry {
	/** Milliseconds since the record before. */
	after: number;
	kind: string;
	dir: "c2s" | "s2c" | null;
	body: string;
	summary?: string;
	method?: string;
	id?: string;
	code?: number;
	flags?: string[];
	/** Records before this one is the one whose HTTP exchange carried it. */
	viaBack?: number;
	/** Records before this one is the one that it is about. */
	aboutBack?: number;
	/** A result whose tool said `isError`. */
	isError?: boolean;
}

/** Rows by index, bodies by number. */
export interface Log {
	readonly size: number;
	row(index: number): RecordRow;
	body(seq: number): string;
}

export class ScriptLog implements Log {
	private readonly rows: RecordRow[] = [];
	private readonly bodies: string[] = [];

	constructor(private clock: number) {}

	get size(): number {
		return this.rows.length;
	}

	row(index: number): RecordRow {
		const row = this.rows[index];
		if (!row) throw new Error(`no record at ${index}`);
		return row;
	}

	body(seq: number): string {
		return this.bodies[seq - 1] ?? "";
	}

	/** Appends; returns the new row and the earlier one that it changed. */
	push(entry: Entry, at?: number): { row: RecordRow; changed: RecordRow | null } {
		const gap = entry.after * 1000;
		this.clock = at ?? this.clock + gap;
		const seq = this.rows.length + 1;
		const request = entry.kind === "result" || entry.kind === "error" ? this.request(entry.id) : null;
		const verdict = entry.kind === "error" ? "error" : entry.isError ? "is-error" : "ok";
		const row: RecordRow = {
			seq,
			at_us: this.clock,
			gap_us: seq === 1 ? null : this.clock - this.row(seq - 2).at_us,
			conn: 1,
			kind: entry.kind,
			direction: entry.dir,
			method: entry.method ?? request?.method ?? null,
			summary: (entry.summary ?? entry.body).slice(0, 160),
			id: entry.id ?? null,
			reply_to: request?.seq ?? null,
			answer: null,
			dur_us: request ? this.clock - request.at_us : null,
			verdict: request ? verdict : entry.kind === "request" ? "pending" : null,
			code: entry.code ?? null,
			size: new TextEncoder().encode(entry.body).length,
			about: entry.aboutBack === undefined ? null : seq - entry.aboutBack,
			via: entry.viaBack === undefined ? null : seq - entry.viaBack,
			flags: entry.flags ?? [],
			whole: entry.body.length <= 2048 ? entry.body : null,
		};
		this.rows.push(row);
		this.bodies.push(entry.body);
		const changed = request ? { ...request, answer: seq, dur_us: row.dur_us, verdict: row.verdict } : null;
		if (changed) this.rows[changed.seq - 1] = changed;
		return { row, changed };
	}

	/** Changes an earlier row. */
	set(seq: number, change: Partial<RecordRow>): RecordRow {
		const row = { ...this.row(seq - 1), ...change };
		this.rows[seq - 1] = row;
		return row;
	}

	private request(id: string | undefined): RecordRow | null {
		return this.rows.find((row) => row.kind === "request" && row.id === id && row.answer === null) ?? null;
	}
}

/** Any number of notifications, made on demand: for scrolling. */
export class EndlessLog implements Log {
	constructor(
		readonly size: number,
		private readonly start: number,
	) {}

	row(index: number): RecordRow {
		const body = this.body(index + 1);
		return {
			seq: index + 1,
			at_us: this.start + index * 500,
			gap_us: index === 0 ? null : 500,
			conn: 1,
			kind: "notification",
			direction: "s2c",
			method: "notifications/progress",
			summary: `${index + 1}/${this.size} rows`,
			id: null,
			reply_to: null,
			answer: null,
			dur_us: null,
			verdict: null,
			code: null,
			size: body.length,
			about: null,
			via: null,
			flags: [],
			whole: body,
		};
	}

	body(seq: number): string {
		return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":${seq},"total":${this.size}}}`;
	}
}

const TESTS: Record<string, (row: RecordRow, value: string) => boolean> = {
	kind: (row, value) => value.split(",").includes(row.kind),
	dir: (row, value) => row.direction === value,
	method: (row, value) => value.split(",").some((item) => glob(item).test(row.method ?? "")),
	id: (row, value) => (row.id ?? "").replaceAll('"', "") === value,
	status: (row, value) => value.split(",").includes((row.verdict ?? "").replace("-", "")),
	has: (row, value) => value.split(",").some((flag) => row.flags.includes(flag)),
	size: (row, value) => compare(row.size, value),
	dur: (row, value) => row.dur_us !== null && compare(row.dur_us, value),
	at: () => true,
	conn: (row, value) => compare(row.conn, value),
};

/** A stand-in for the filter language. */
export function matches(row: RecordRow, filter: string): boolean {
	return (filter.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []).every((term) => {
		const [, not, key = "", value = ""] = /^(-?)(?:([a-z]+):)?(.*)$/s.exec(term) ?? [];
		const plain = value.replaceAll('"', "");
		const test = TESTS[key];
		const text = `${row.kind} ${row.method} ${row.summary} ${row.whole}`.toLowerCase();
		return (test ? test(row, plain) : text.includes(plain.toLowerCase())) !== (not === "-");
	});
}

function glob(pattern: string): RegExp {
	return new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
}

/** `5`, `>5`, `>=1k`, `<2M`; units of time are read as microseconds. */
function compare(n: number, value: string): boolean {
	const [, sign = "", digits = "", unit = ""] = /^([<>]?=?)([\d.]+)([a-zA-Z]*)/.exec(value) ?? [];
	const bound = Number(digits) * ({ k: 1e3, M: 1e6, ms: 1e3, s: 1e6, m: 60e6 }[unit] ?? 1);
	if (sign === ">") return n > bound;
	if (sign === ">=") return n >= bound;
	if (sign === "<") return n < bound;
	if (sign === "<=") return n <= bound;
	return n === bound;
}

export function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
