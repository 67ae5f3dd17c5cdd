/** Two answers to the same request, line by line beside each other. */

import { pretty } from "./json/pretty";
import { at, type Json, readJson } from "./json/tree";

/** Members of a result that one era alone has (2026-07-28 basic/index › ResultType, _meta; server/utilities/caching). */
const OF_ONE_ERA = new Set(["_meta", "resultType", "ttlMs", "cacheScope"]);
/** Lines of a member that are compared each with each; longer ones are compared place by place. */
const MAX_LINES = 600;

/** A line of both; null where one side has none there. */
export interface Line {
	left: string | null;
	right: string | null;
	/** `era`: differs in what only one era has. */
	kind: "same" | "differs" | "era";
}

export interface Comparison {
	lines: Line[];
	/** Members that differ, without those of one era alone. */
	differing: string[];
	/** Members of one era alone that are there. */
	era: string[];
}

/** Compares two responses as received: their results, or errors, member by member. */
export function compare(left: string, right: string): Comparison {
	const [one, other] = [outcomeOf(left), outcomeOf(right)];
	if (one?.kind !== "object" || other?.kind !== "object" || isError(left) !== isError(right)) {
		return {
			lines: besides(linesOf(one), linesOf(other), "differs"),
			differing: isError(left) === isError(right) ? ["answer"] : ["result and error"],
			era: [],
		};
	}
	const keys = [...new Set([...one.members, ...other.members].map(({ key }) => key))];
	const parts = keys.map((key) => {
		const [mine, theirs] = [linesOf(at(one, key), key), linesOf(at(other, key), key)];
		const kind = OF_ONE_ERA.has(key) ? ("era" as const) : ("differs" as const);
		return { key, kind, lines: besides(mine, theirs, kind) };
	});
	const changed = parts.filter(({ lines }) => lines.some(({ kind }) => kind !== "same"));
	const named = (wanted: Line["kind"]) => changed.filter(({ kind }) => kind === wanted).map(({ key }) => key);
	return { lines: parts.flatMap(({ lines }) => lines), differing: named("differs"), era: named("era") };
}

function isError(frame: string): boolean {
	return at(readJson(frame), "error") !== null;
}

function outcomeOf(frame: string): Json | null {
	const root = readJson(frame);
	return at(root, "result") ?? at(root, "error");
}

function linesOf(value: Json | null, key?: string): string[] {
	if (!value) return [];
	const { text } = pretty(value.raw, Number.POSITIVE_INFINITY);
	return `${key === undefined ? "" : `${JSON.stringify(key)}: `}${text}`.split("\n");
}

/** Puts equal lines beside each other (longest common subsequence), what differs beside what took its place. */
function besides(left: readonly string[], right: readonly string[], kind: "differs" | "era"): Line[] {
	const out: Line[] = [];
	let [i, j] = [0, 0];
	const upTo = (toLeft: number, toRight: number) => {
		for (; i < toLeft || j < toRight; i += i < toLeft ? 1 : 0, j += j < toRight ? 1 : 0)
			out.push({
				left: i < toLeft ? (left[i] ?? null) : null,
				right: j < toRight ? (right[j] ?? null) : null,
				kind,
			});
	};
	for (const [at1, at2] of common(left, right)) {
		upTo(at1, at2);
		out.push({ left: left[at1] ?? null, right: right[at2] ?? null, kind: "same" });
		[i, j] = [at1 + 1, at2 + 1];
	}
	upTo(left.length, right.length);
	return out;
}

/** Places of equal lines, rising on both sides. */
function common(left: readonly string[], right: readonly string[]): [number, number][] {
	if (left.length > MAX_LINES || right.length > MAX_LINES)
		return left.flatMap((line, i): [number, number][] => (line === right[i] ? [[i, i]] : []));
	const width = right.length + 1;
	const length = new Uint16Array((left.length + 1) * width);
	for (let i = left.length - 1; i >= 0; i -= 1) {
		for (let j = right.length - 1; j >= 0; j -= 1) {
			length[i * width + j] =
				left[i] === right[j]
					? 1 + (length[(i + 1) * width + j + 1] ?? 0)
					: Math.max(length[(i + 1) * width + j] ?? 0, length[i * width + j + 1] ?? 0);
		}
	}
	const pairs: [number, number][] = [];
	for (let i = 0, j = 0; i < left.length && j < right.length; ) {
		if (left[i] === right[j]) pairs.push([i++, j++]);
		else if ((length[(i + 1) * width + j] ?? 0) >= (length[i * width + j + 1] ?? 0)) i += 1;
		else j += 1;
	}
	return pairs;
}
