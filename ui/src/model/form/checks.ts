/** What our check says, brought to the rows of the form. */
import type { CheckProblem } from "../../ipc/bindings/CheckProblem";
import { atPointer, pointerStep } from "../json/pointer";
import { readJson } from "../json/tree";
import type { FormMemory } from "./memory";
import type { Row } from "./rows";

/** A problem at a place. */
export interface Failure {
	problem: CheckProblem;
	/** Where the value stands in the arguments; the object around a missing property. */
	pointer: string;
	/** What is waved through is named by this: it holds for this value alone. */
	key: string;
	waved: boolean;
	/** It is about a value that has been changed since: the next check will tell. */
	stale: boolean;
}

/** Failures of a form. */
export interface Failures {
	/** By the id of the row that shows them. */
	byRow: ReadonlyMap<string, readonly Failure[]>;
	/** Those that have no row. */
	others: readonly Failure[];
	/** Those that nobody has waved through. */
	open: number;
}

/**
 * Sorts problems to the rows that show them: the nearest row at or above the place. `checked` is the text that the
 * problems are about, `args` the one that stands there now.
 */
export function sortFailures(
	problems: readonly CheckProblem[],
	rows: readonly Row[],
	checked: string,
	args: string,
	memory: FormMemory,
): Failures {
	const json = readJson(checked);
	const now = checked === args ? json : readJson(args);
	const places = new Map(rows.map((row) => [row.pointer, row.id]));
	const byRow = new Map<string, Failure[]>();
	const others: Failure[] = [];
	let open = 0;
	for (const problem of problems) {
		const pointer = pointerOf(problem);
		// What was missing and has been typed is no news.
		if (problem.missing !== null && atPointer(now, pointer) !== null) continue;
		const value = atPointer(json, problem.path)?.raw ?? "";
		const stale = problem.missing === null && (atPointer(now, problem.path)?.raw ?? "") !== value;
		const key = `${pointer}\n${problem.keyword}\n${problem.missing === null ? value : ""}`;
		const failure = { problem, pointer, key, waved: memory.waved.has(key), stale };
		if (!failure.waved) open += 1;
		const id = nearest(pointer, places);
		if (id === null) others.push(failure);
		else byRow.set(id, [...(byRow.get(id) ?? []), failure]);
	}
	return { byRow, others, open };
}

/** Where a problem shows: a missing property at its own place. */
function pointerOf({ path, missing }: CheckProblem): string {
	return missing === null ? path : `${path}/${pointerStep(missing)}`;
}

function nearest(pointer: string, places: ReadonlyMap<string, string>): string | null {
	for (let here = pointer; here !== ""; here = here.slice(0, here.lastIndexOf("/"))) {
		const id = places.get(here);
		if (id !== undefined) return id;
	}
	return null;
}
