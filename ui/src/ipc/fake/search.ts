/** A stand-in for the filter language over sessions, and for the search through their records. */
import type { FilterProblem } from "../bindings/FilterProblem";
import type { HitRow } from "../bindings/HitRow";
import type { SessionRow } from "../bindings/SessionRow";
import { type Log, matches } from "./rows";

type Test = (row: SessionRow, value: string) => boolean;

const has = (text: string | null, part: string) => (text ?? "").toLowerCase().includes(part.toLowerCase());
const day = (us: number) => new Date(us / 1000).toISOString().slice(0, 10);

const KEYS: Record<string, Test> = {
	server: (row, value) => has(row.server_name, value),
	origin: (row, value) => row.origin === value,
	rev: (row, value) => (row.revision ?? "").startsWith(value),
	tag: (row, value) => row.tags.includes(value),
	pinned: (row, value) => row.pinned === (value !== "false"),
	after: (row, value) => day(row.started_us) >= value,
	before: (row, value) => day(row.started_us) < value,
	has: (row, value) => value === "crash" && row.exit?.crashed === true,
	status: (row, value) => value === "error" && row.errors > 0,
};

/** Keys that only records have; a list cannot answer them, a search can. */
const RECORD_KEYS = new Set(["dir", "kind", "method", "id", "size", "dur", "at", "conn"]);

/** The sessions that match, or all and what is wrong with the query. */
export function keep(
	rows: SessionRow[],
	query: string,
): { rows: SessionRow[]; problem: FilterProblem | null } {
	const tests: ((row: SessionRow) => boolean)[] = [];
	for (const term of query.matchAll(/\S+/g)) {
		const [, not, key, value = ""] = /^(-?)(?:([a-z]+):)?(.*)$/s.exec(term[0]) ?? [];
		const test: Test | undefined =
			key === undefined ? (row) => has(`${row.name ?? ""} ${row.server_name}`, value) : KEYS[key];
		if (!test && key !== undefined && RECORD_KEYS.has(key)) continue;
		if (!test) {
			const [from, to] = [term.index, term.index + term[0].length];
			return { rows, problem: { from, to, message: `There is no key “${key}”.` } };
		}
		tests.push((row) => test(row, value.replaceAll('"', "")) !== (not === "-"));
	}
	return { rows: rows.filter((row) => tests.every((test) => test(row))), problem: null };
}

/** The records of a session that a search finds. */
export function hitsIn(row: SessionRow, log: Log, query: string, most: number): HitRow[] {
	const terms = query.split(/\s+/).filter(Boolean);
	const forSessions = terms.filter((term) => KEYS[term.split(":")[0] ?? ""] !== undefined);
	if (keep([row], forSessions.join(" ")).rows.length === 0) return [];
	const rest = terms.filter((term) => !forSessions.includes(term));
	const words = rest.filter((term) => !term.includes(":")).map((term) => term.toLowerCase());
	const hits: HitRow[] = [];
	for (let i = 0; i < log.size && hits.length < most; i += 1) {
		const record = log.row(i);
		const body = log.body(record.seq) || record.summary;
		const keyed = rest.filter((term) => term.includes(":")).join(" ");
		if (!matches(record, keyed) || !words.every((word) => body.toLowerCase().includes(word))) continue;
		const first = words[0] === undefined ? 0 : body.toLowerCase().indexOf(words[0]);
		const text = body.slice(Math.max(0, first - 60), first + 140);
		hits.push({
			session: row.id,
			seq: record.seq,
			at_us: record.at_us,
			kind: record.kind,
			direction: record.direction,
			text,
			marks: words.flatMap((word) => places(text.toLowerCase(), word)),
		});
	}
	return hits;
}

function places(text: string, word: string): [number, number][] {
	const found: [number, number][] = [];
	for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
		found.push([at, at + word.length]);
	}
	return found.sort((a, b) => a[0] - b[0]);
}
