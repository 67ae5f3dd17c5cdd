import { describe, expect, it } from "vitest";
import type { OutcomeRow } from "../ipc/bindings/OutcomeRow";
import type { RecordRow } from "../ipc/bindings/RecordRow";
import { sentence } from "./errors";
import { cells } from "./outcome";
import { durationWord, methodWord, rowName, tint } from "./rows";
import { pieces, visible } from "./visible";

const row = (change: Partial<RecordRow>): RecordRow => ({
	seq: 38,
	at_us: new Date(2026, 10, 29, 14, 2, 9).getTime() * 1000,
	gap_us: 1,
	conn: 1,
	kind: "request",
	direction: "c2s",
	method: "tools/call",
	summary: "",
	id: "22",
	reply_to: null,
	answer: null,
	dur_us: null,
	verdict: null,
	code: null,
	size: 1312,
	about: null,
	via: null,
	flags: [],
	whole: null,
	...change,
});

describe("rows", () => {
	it("elide what Kind says already", () =>
		expect(methodWord(row({ kind: "notification", method: "notifications/progress" }))).toBe("…/progress"));

	it.each([
		[{ verdict: "timeout" }, "timed out"],
		[{ verdict: "unanswered" }, "no reply"],
		[{ verdict: "cancelled" }, "cancelled"],
		[{ verdict: "pending" }, ""],
		[{ verdict: "ok", kind: "result", dur_us: 5 }, ""],
	] as const)("%j have the duration %s", (change, text) => expect(durationWord(row(change))).toBe(text));

	it.each([
		[{ kind: "malformed" }, "malformed"],
		[{ kind: "error" }, "error"],
		[{ kind: "result", verdict: "is-error" }, "error"],
		[{ kind: "request", verdict: "is-error" }, null],
		[{ kind: "lifecycle", flags: ["crash"] }, "error"],
		[{ kind: "stderr" }, null],
	] as const)("%j are tinted %s", (change, colour) =>
		expect(tint(row({ ...change, flags: [...("flags" in change ? change.flags : [])] }))).toBe(colour),
	);

	it("are named in full for screen readers", () =>
		expect(rowName(row({ kind: "result", direction: "s2c" })).replaceAll("\u00a0", " ")).toBe(
			"38, 14:02:09, server to client, result of tools/call, id 22, 1.3 kB",
		));
});

describe("hostile text", () => {
	it.each([
		["a\u202eb", "a‹U+202E›b"],
		["a\u200bb", "a‹U+200B›b"],
		["\u001b[31m", "‹ESC›[31m"],
		["tag\u{e0041}", "tag‹U+E0041›"],
		["ß € 你 ❤️", "ß € 你 ❤️"],
	])("%j is shown as %s", (text, shown) => expect(visible(text)).toBe(shown));

	it("is taken apart without losing a character", () =>
		expect(pieces("a\u202eb")).toEqual([
			{ text: "a", invisible: false },
			{ text: "U+202E", invisible: true },
			{ text: "b", invisible: false },
		]));
});

describe("verdicts", () => {
	const outcome = (change: Partial<OutcomeRow>): OutcomeRow => ({
		request: row({}),
		answer: null,
		verdict: "ok",
		message: null,
		...change,
	});
	const result = row({ kind: "result", direction: "s2c", reply_to: 38, verdict: "ok" });
	it.each([
		["a result", { answer: result }, ["delivered", "n/a, stdio", "result", "false", "no outputSchema"]],
		[
			"a tool's error",
			{ answer: row({ kind: "result", verdict: "is-error" }), verdict: "is-error" },
			["delivered", "n/a, stdio", "result", "true", "no outputSchema"],
		],
		[
			"the server's error",
			{ answer: row({ kind: "error", code: -32602 }), verdict: "error" },
			["delivered", "n/a, stdio", "-32602", "—", "—"],
		],
		["a time-out", { verdict: "timeout" }, ["timed out", "n/a, stdio", "—", "—", "—"]],
		[
			"a late answer",
			{ answer: { ...result, flags: ["late"] }, verdict: "timeout", request: row({ dur_us: 31_000_000 }) },
			["late, 31.0 s", "n/a, stdio", "result", "false", "no outputSchema"],
		],
		["a crash", { verdict: "unanswered" }, ["no answer", "n/a, stdio", "—", "—", "—"]],
	] as const)("of %s", (_what, change, texts) =>
		expect(
			cells(outcome(change as Partial<OutcomeRow>), "stdio", null).map((cell) =>
				cell.text.replaceAll("\u00a0", " "),
			),
		).toEqual(texts),
	);
});

describe("the HTTP cell", () => {
	const part = {
		seq: 1,
		at_us: 0,
		method: null,
		url: null,
		status: null,
		headers: [],
		connect_us: null,
		text: null,
	};
	const answered = (status: number) => ({ response: { ...part, status } });
	const outcome: OutcomeRow = { request: row({}), answer: null, verdict: "pending", message: null };
	it.each([
		["no exchange known", null, "none", "—"],
		["on its way", {}, "none", "waiting"],
		["answered", answered(200), "ok", "200"],
		["answered and ended", { ...answered(202), end: part }, "ok", "202"],
		["redirected", answered(307), "warning", "307"],
		["refused", answered(401), "error", "401"],
		["broken", { end: part }, "error", "no response"],
	] as const)("of one %s", (_what, change, tone, text) => {
		const exchange = change && { frame: 1, request: part, response: null, end: null, ...change };
		const cell = cells(outcome, "http", exchange).find(({ layer }) => layer === "HTTP");
		expect(cell).toEqual({ layer: "HTTP", tone, text });
	});
});

describe("the transport cell", () => {
	const part = {
		seq: 1,
		at_us: 0,
		method: null,
		url: null,
		status: 502,
		headers: [],
		connect_us: null,
		text: null,
	};
	const outcome: OutcomeRow = { request: row({}), answer: null, verdict: "unanswered", message: null };
	it.each([
		["a refusal by HTTP", { response: part, end: { ...part, status: null } }, "delivered"],
		["a connection that broke", { response: part, end: { ...part, text: "reset" } }, "no answer"],
		["a connection that was refused", { end: { ...part, text: "refused" } }, "no answer"],
	])("of %s", (_what, change, text) => {
		const exchange = { frame: 1, request: part, response: null, ...change };
		expect(cells(outcome, "http", exchange)[0]?.text).toBe(text);
	});
});

describe("a sentence", () => {
	it.each([
		["the server at http://x refused", "The server at http://x refused"],
		["tools/list was refused", "tools/list was refused"],
		["127.0.0.1:1 refused", "127.0.0.1:1 refused"],
		["`uvx` is in no folder", "`uvx` is in no folder"],
	])("made of %j", (text, expected) => expect(sentence(text)).toBe(expected));
});
