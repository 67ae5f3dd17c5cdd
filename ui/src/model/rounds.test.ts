import { expect, it } from "vitest";
import type { RecordRow } from "../ipc/bindings/RecordRow";
import { echoes, placesOf, type RoundFrame, roundedCalls } from "./rounds";

const row = (seq: number, change: Partial<RecordRow>) =>
	({ seq, method: "tools/call", answer: null, reply_to: null, about: null, ...change }) as RecordRow;
const request = (seq: number, body: string, answer: number | null = null): RoundFrame => ({
	row: row(seq, { kind: "request", answer }),
	body,
});
const asks = (seq: number, reply_to: number, body: string): RoundFrame => ({
	row: row(seq, { kind: "result", reply_to }),
	body,
});
const note = (seq: number, about: number) => row(seq, { kind: "note", about });
const call = (name: string, more = "") => `{"name":"${name}","arguments":{"n":1}${more}}`;
const Q = '"inputRequests":{"q":{"method":"roots/list"}}';

it("strings the rounds of a call together, whatever comes between", () => {
	const [one, ...others] = roundedCalls(
		[
			request(1, call("a"), 2),
			request(5, call("a", ',"inputResponses":{"q":{}},"requestState":"s\\u00e9"'), 6),
			request(8, call("a", ',"requestState":"t"'), 9),
		],
		[asks(2, 1, `{${Q},"requestState":"s\\u00e9"}`), asks(6, 5, '{"requestState":"t"}')],
		[note(4, 1), note(7, 5), note(11, 3)],
	);
	expect(others).toEqual([]);
	expect(one?.first).toBe(1);
	expect(one?.members).toEqual([2, 4, 5, 6, 7, 8, 9]);
	expect(one?.rounds.map(({ request: seq, answer, sent }) => [seq, answer, sent])).toEqual([
		[1, 2, null],
		[5, 6, '"s\\u00e9"'],
		[8, 9, '"t"'],
	]);
	const places = placesOf(one ? [one] : [], [note(4, 1), note(11, 3)]);
	expect([1, 2, 4, 5, 9, 11].map((seq) => places.get(seq)?.round.number)).toEqual([1, 1, 1, 2, 3, undefined]);
});

it("a call that was left at the same question does not take the rounds of the next one", () => {
	const retry = request(7, call("a", ',"inputResponses":{"q":{}}'), 8);
	const frames = [
		request(1, call("a"), 2),
		request(4, call("a"), 5),
		{ ...retry, row: { ...retry.row, about: 4 } },
	];
	const calls = roundedCalls(frames, [asks(2, 1, `{${Q}}`), asks(5, 4, `{${Q}}`)], []);
	expect(calls.map(({ rounds }) => rounds.map(({ request: seq }) => seq))).toEqual([[1], [4, 7]]);
});

it.each([
	[
		"by the state",
		[call("a", ',"inputResponses":{"q":{}},"requestState":"two"'), call("a", ',"requestState":"one"')],
		[3, 1],
	],
	["by what is called", [call("b", ',"requestState":"one"'), call("a", ',"requestState":"one"')], [7, 1]],
	[
		"not to the byte: a state of somebody's own",
		[call("a", ',"inputResponses":{"q":{}},"requestState":"mine"')],
		[1],
	],
	["not at all: nobody asked for that", [call("a", ',"requestState":"mine"')], [undefined]],
])("tells calls that run at once apart %s", (_what, retries, expected) => {
	const calls = roundedCalls(
		[
			request(1, call("a")),
			request(3, call("a")),
			request(7, call("b")),
			...retries.map((body, i) => request(20 + i, body)),
		],
		[
			asks(10, 1, `{${Q},"requestState":"one"}`),
			asks(11, 3, `{${Q},"requestState":"two"}`),
			asks(12, 7, `{${Q},"requestState":"one"}`),
		],
		[],
	);
	const firstOf = (seq: number) =>
		calls.find(({ rounds }) => rounds.some(({ request: one }) => one === seq))?.first;
	expect(retries.map((_, i) => firstOf(20 + i))).toEqual(expected);
});

it("says whether a state came back to the byte", () => {
	const check = (given: string, sent: string, expected: boolean) => {
		const body =
			sent === "" ? ',"inputResponses":{"q":{}}' : `,"inputResponses":{"q":{}},"requestState":${sent}`;
		const state = given === "" ? "" : `,"requestState":${given}`;
		const calls = roundedCalls(
			[request(1, call("a"), 2), request(3, call("a", body))],
			[asks(2, 1, `{${Q}${state}}`)],
			[],
		);
		const places = placesOf(calls, []);
		const [first, second] = [places.get(1), places.get(3)];
		expect(first && echoes(first)).toBeNull();
		expect(second && echoes(second), `${given} → ${sent}`).toBe(expected);
	};
	check('"a\\u00e9"', '"a\\u00e9"', true);
	check('"a\\u00e9"', '"aé"', false);
	check("", "", true);
	check('"a"', "", false);
});
