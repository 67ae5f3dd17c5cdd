/** Splices: what is not edited stays to the byte. */
import { describe, expect, it } from "vitest";
import { addMember, insertItem, type Path, remove, renameMember, set, swapItems } from "./edit";

const SET: readonly [what: string, text: string, path: Path, raw: string, order: string[], after: string][] =
	[
		["nothing yet", "", ["a"], "1", [], '{"a":1}'],
		["an empty object", "{}", ["a"], "1", [], '{"a":1}'],
		["a value in its place", '{ "a" : 1.0 , "b":2}', ["b"], "3", [], '{ "a" : 1.0 , "b":3}'],
		[
			"digits and escapes beside it",
			'{"n":9007199254740993,"\\u0061":1}',
			["a"],
			"2",
			[],
			'{"n":9007199254740993,"\\u0061":2}',
		],
		["duplicate keys beside it", '{"x":1,"x":2,"a":3}', ["a"], "4", [], '{"x":1,"x":2,"a":4}'],
		["of a repeated key the last", '{"x":1,"x":2}', ["x"], "3", [], '{"x":1,"x":3}'],
		["in the schema's order, first", '{"b":2}', ["a"], "1", ["a", "b"], '{"a":1,"b":2}'],
		["in the schema's order, between", '{"a":1,"c":3}', ["b"], "2", ["a", "b", "c"], '{"a":1,"b":2,"c":3}'],
		["in the order that is there", '{"c":3,"a":1}', ["b"], "2", ["a", "b", "c"], '{"c":3,"a":1,"b":2}'],
		["before what no schema names", '{"a":1,"z":9}', ["b"], "2", ["a", "b"], '{"a":1,"b":2,"z":9}'],
		["with the spacing of its neighbours", '{\n  "a": 1\n}', ["b"], "2", [], '{\n  "a": 1,\n  "b": 2\n}'],
		["with one space as there", '{"a": 1, "b": 2}', ["c"], "3", [], '{"a": 1, "b": 2, "c": 3}'],
		["deep down", '{"a":[{"b":[1,2]}]}', ["a", 0, "b", 1], "9", [], '{"a":[{"b":[1,9]}]}'],
		["a key with odd characters", "{}", ['a"\n'], "1", [], '{"a\\"\\n":1}'],
		["a key that objects inherit", "{}", ["constructor"], "1", [], '{"constructor":1}'],
		["an empty key", "{}", [""], "1", [], '{"":1}'],
		["nowhere, where there is no parent", '{"a":1}', ["x", "y"], "1", [], '{"a":1}'],
	];

describe("set", () => {
	it.each(SET)("%s", (_what, text, path, raw, order, after) =>
		expect(set(text, path, raw, order)).toBe(after),
	);
});

it.each([
	["the only one", '{ "a": 1 }', ["a"], "{}"],
	["the first", '{"a":1, "b":2}', ["a"], '{"b":2}'],
	["the last", '{"a":1, "b":2}', ["b"], '{"a":1}'],
	["one between", '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', ["b"], '{\n  "a": 1,\n  "c": 3\n}'],
	["an item", "[1, 2, 3]", [1], "[1, 3]"],
	["what is not there", '{"a":1}', ["b"], '{"a":1}'],
] as const)("remove takes out %s", (_what, text, path, after) => expect(remove(text, path)).toBe(after));

it("items are put in, and swapped with their spacing kept", () => {
	expect(insertItem("[]", [], 0, "1")).toBe("[1]");
	expect(insertItem("[1, 2]", [], 2, "3")).toBe("[1, 2, 3]");
	expect(insertItem("[1, 2]", [], 0, "0")).toBe("[0, 1, 2]");
	expect(swapItems("[1,  22, 3]", [], 0, 1)).toBe("[22,  1, 3]");
	expect(swapItems("[1, 2]", [], 0, 5)).toBe("[1, 2]");
});

it("members are added under a key that is there, and renamed by place", () => {
	expect(addMember('{"a":1}', [], "a", "2")).toBe('{"a":1,"a":2}');
	expect(renameMember('{"a":1, "a": 2}', [], 1, "b")).toBe('{"a":1, "b": 2}');
	expect(remove('{"a":1,"a":2}', [0])).toBe('{"a":2}');
});
