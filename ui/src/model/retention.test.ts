import { describe, expect, it } from "vitest";
import type { SessionRow } from "../ipc/bindings/SessionRow";
import { doomed, limitOf } from "./retention";

const DAY = 86_400e6;
const NOW = 100 * DAY;
const row = (id: string, endedDaysAgo: number | null, gb: number, pinned = false) =>
	({
		id,
		pinned,
		bytes: gb * 1e9,
		ended_us: endedDaysAgo === null ? null : NOW - endedDaysAgo * DAY,
	}) as SessionRow;
const ROWS = [
	row("live", null, 9),
	row("new", 1, 2),
	row("old", 30, 3),
	row("pin", 60, 4, true),
	row("older", 40, 1),
];

describe("what a retention deletes", () => {
	const cases: [days: number | null, gigabytes: number | null, gone: string[]][] = [
		[null, null, []],
		[50, null, []],
		[35, null, ["older"]],
		[7, null, ["older", "old"]],
		[null, 19, []],
		[null, 18, ["older"]],
		[null, 17, ["older", "old"]],
		[null, 1, ["older", "old", "new"]],
		[35, 17, ["older", "old"]],
	];
	it.each(cases)("%s days, %s GB", (days, gigabytes, gone) => {
		expect(doomed(ROWS, { days, gigabytes }, 19e9, NOW).map(({ id }) => id)).toEqual(gone);
	});
});

describe("a limit as typed", () => {
	const cases: [text: string, limit: number | null | undefined][] = [
		["", null],
		[" ", null],
		["30", 30],
		["0.5", undefined],
		["1e9", undefined],
		["0", undefined],
		["-1", undefined],
		["ten", undefined],
	];
	it.each(cases)("%j", (text, limit) => expect(limitOf(text)).toBe(limit));
});
