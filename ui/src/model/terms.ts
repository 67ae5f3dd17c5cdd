/** A filter's terms as text: taken apart for chips, and made from what a row says. The host alone knows what they mean. */
import type { RecordRow } from "../ipc/bindings/RecordRow";
import { clock } from "./format";

/** Terms of a filter in order. Quoted text holds together, and so does `at:last 5m`. */
export function termsOf(filter: string): string[] {
	const words = filter.match(/(?:"(?:\\.|[^"\\])*"?|[^\s"])+/g) ?? [];
	const terms: string[] = [];
	for (const word of words) {
		const last = terms.at(-1);
		if (last !== undefined && /^-?at:last$/i.test(last)) terms[terms.length - 1] = `${last} ${word}`;
		else terms.push(word);
	}
	return terms;
}

/** Head and rest of a term, for the eye: `-method:` and `completion/*`. */
export function partsOf(term: string): [key: string, value: string] {
	const key = /^-?[a-z]+:/.exec(term)?.[0] ?? (term.startsWith("-") ? "-" : "");
	return [key, term.slice(key.length)];
}

/** The filter with one more term; one that is there already is not repeated. */
export function withTerm(filter: string, term: string): string {
	const terms = termsOf(filter);
	return (terms.includes(term) ? terms : [...terms, term]).join(" ");
}

/** Columns whose cells give a term; others give all of the row. */
export type TermColumn = "time" | "direction" | "kind" | "method" | "summary" | "id" | "duration" | "size";

/** What a cell of a row says as terms; with no column that gives one, what the whole row says. */
export function quickTerms(row: RecordRow, column: string | null): string[] {
	const all: Record<TermColumn, string | null> = {
		kind: `kind:${row.kind}`,
		method: row.method === null ? null : `method:${word(row.method)}`,
		id: row.id === null ? null : `id:${row.id.startsWith('"') ? row.id : word(row.id)}`,
		direction: row.direction === null ? null : `dir:${row.direction}`,
		duration: statusOf(row) ?? (row.dur_us === null ? null : `dur:>=${Math.round(row.dur_us)}us`),
		summary: firstWord(row.summary),
		size: row.size > 0 ? `size:>=${row.size}` : null,
		time: `at:>=${clock(row.at_us)}`,
	};
	const one = all[column as TermColumn];
	const marks = row.flags.map((flag) => `has:${flag}`);
	if (column === "summary") return [one, ...marks].filter((term) => term != null);
	if (one != null) return [one];
	const { size: _, time: __, ...telling } = all;
	return [...Object.values(telling), ...marks].filter((term) => term != null);
}

function statusOf(row: RecordRow): string | null {
	if (row.kind === "http" && row.code !== null) return `status:${row.code}`;
	if (row.verdict === null) return null;
	return `status:${row.verdict.replace("-", "")}`;
}

/** The first word of a summary: a tool's name, a URI, a level. */
function firstWord(summary: string): string | null {
	const first = /^[^\s{}[\]"]{2,80}/.exec(summary)?.[0];
	return first === undefined ? null : quoted(first);
}

/** A value as the grammar takes it: quoted where it is not a bare word. */
function word(value: string): string {
	return /^[^\s,"]+$/.test(value) ? value : quoted(value);
}

function quoted(value: string): string {
	return `"${value.replace(/["\\]/g, "\\$&")}"`;
}
