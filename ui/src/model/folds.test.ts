import { expect, it } from "vitest";
import { Folds } from "./folds";

it.each([
	["nothing", [], 5],
	["one in the middle", [2], 5],
	["a run at the start", [0, 1, 2], 6],
	["several runs", [1, 2, 5, 8, 9], 12],
	["all but the last", [0, 1, 2, 3], 5],
])("finds places both ways with %s hidden", (_what, hidden, total) => {
	const folds = new Folds(hidden);
	const left = Array.from({ length: total }, (_, i) => i).filter((i) => !hidden.includes(i));
	expect(folds.shown(total)).toBe(left.length);
	expect(left.map((_, shown) => folds.toIndex(shown))).toEqual(left);
	expect(left.map((index) => folds.toShown(index))).toEqual(left.map((_, shown) => shown));
	for (let index = 0; index < total; index += 1) expect(folds.has(index)).toBe(hidden.includes(index));
});
