import { expect, it } from "vitest";
import type { PendingRow } from "../ipc/bindings/PendingRow";
import { progressWords, remaining } from "./pending";

const row = (change: Partial<PendingRow>): PendingRow => ({
	seq: 1,
	id: "1",
	method: "tools/call",
	what: "x",
	sent_us: 0,
	deadline_us: 30e6,
	progress: null,
	...change,
});
const progress = (done: number, total: number | null, at: number) => ({
	progress: done,
	total,
	message: null,
	at_us: at,
	count: 1,
});

it.each([
	["half the time", row({}), 15e6, { part: 50, told: false, left: 15 }],
	["over", row({}), 40e6, { part: 100, told: false, left: 0 }],
	["half the work", row({ progress: progress(60, 120, 5e6) }), 6e6, { part: 50, told: true, left: 24 }],
	["no limit", row({ deadline_us: null }), 6e6, { part: 0, told: false, left: null }],
	[
		"progress without an end",
		row({ progress: progress(60, null, 5e6) }),
		15e6,
		{ part: 50, told: false, left: 15 },
	],
])("%s", (_what, pending, now, expected) => expect(remaining(pending, now)).toEqual(expected));

it.each([
	[null, null],
	[progress(71, 120, 12.5e6), "71/120 · 5.7/s · about 9 s to go"],
	[progress(3000, null, 2e6), "3\u00a0000 · 1\u00a0500/s"],
	[progress(0.25, 1, 1e6), "0.25/1 · 0.25/s · about 3 s to go"],
	[progress(0, 10, 0), "0/10"],
	[progress(10, 10, 2e6), "10/10 · 5/s"],
])("says %o as %s", (told, words) => expect(progressWords(row({ progress: told }))).toBe(words));
