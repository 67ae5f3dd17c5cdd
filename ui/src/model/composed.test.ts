import { expect, it } from "vitest";
import { frameFacts, withId } from "./composed";
import { isJson } from "./form/edit";
import { TEMPLATES } from "./templates";

it.each([
	["", "it is empty"],
	["{", "it is not JSON"],
	["[]", "it is a batch"],
	["7", "it is no object"],
	['{"id":1}', 'jsonrpc is not "2.0"'],
	['{"jsonrpc":"2.0",\n"id":1}', "over stdio its line break ends a message"],
])("says of %s that %s", (text, odd) => expect(frameFacts(text, true).odd).toEqual([odd]));

it("finds nothing odd about a request, and reads its id as written", () => {
	expect(frameFacts('{"jsonrpc":"2.0","id": 9007199254740993}', true)).toEqual({
		size: "40\u00a0B",
		id: "9007199254740993",
		odd: [],
	});
	expect(frameFacts('{"jsonrpc":"2.0",\n"method":"x"}', false).odd).toEqual([]);
});

it("changes an id and nothing else", () => {
	expect(withId('{ "id" : "a", "n":1.0}', "25")).toBe('{ "id" : 25, "n":1.0}');
	expect(withId('{"n":1}', "25")).toBe('{"n":1}');
});

it.each(TEMPLATES.filter(({ name }) => name !== "cut off").map((one) => [one.name, one] as const))(
	"%s is JSON",
	(_name, template) => expect(isJson(template.frame("7"))).toBe(true),
);
