import { expect, it } from "vitest";
import { compare } from "./compare";

const result = (body: string) => `{"jsonrpc":"2.0","id":1,"result":${body}}`;
const error = (body: string) => `{"jsonrpc":"2.0","id":1,"error":${body}}`;
const check = (left: string, right: string) => {
	const { differing, era, lines } = compare(left, right);
	return {
		differing,
		era,
		marked: lines.filter(({ kind }) => kind !== "same").map((line) => [line.left, line.right]),
	};
};

it("marks what differs, and apart from it what only one era has", () => {
	expect(
		check(
			result('{"content":[{"type":"text","text":"one"},{"type":"text","text":"two"}],"isError":false}'),
			result(
				'{"resultType":"complete","content":[{"type":"text","text":"one"},{"type":"text","text":"2"}],"isError":false,"_meta":{}}',
			),
		),
	).toEqual({
		differing: ["content"],
		era: ["resultType", "_meta"],
		marked: [
			['    "text": "two"', '    "text": "2"'],
			[null, '"resultType": "complete"'],
			[null, '"_meta": {}'],
		],
	});
});

it.each([
	["the same, in another order", result('{"a":1,"b":[]}'), result('{"b":[],"a":1}'), [], []],
	["numbers by their text", result('{"a":1.0}'), result('{"a":1}'), ["a"], []],
	["errors", error('{"code":-32602,"message":"x"}'), error('{"code":-32002,"message":"x"}'), ["code"], []],
	["a result and an error", result("{}"), error("{}"), ["result and error"], []],
	["results that are no objects", result("[]"), result("[1]"), ["answer"], []],
	["a line that is missing", result('{"a":[1,2,3]}'), result('{"a":[1,3]}'), ["a"], []],
])("compares %s", (_what, left, right, differing, era) => {
	const found = check(left, right);
	expect([found.differing, found.era]).toEqual([differing, era]);
});

it("keeps lines that are alike beside each other, and compares long ones in no time", () => {
	expect(check(result('{"a":[1,2,3]}'), result('{"a":[1,3]}')).marked).toEqual([["  2,", null]]);
	const long = (n: number) =>
		result(`{"rows":[${Array.from({ length: 20_000 }, (_, i) => (i === n ? -1 : i))}]}`);
	expect(check(long(7), long(9)).marked).toEqual([
		["  -1,", "  7,"],
		["  9,", "  -1,"],
	]);
});
