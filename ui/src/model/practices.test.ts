import { expect, it } from "vitest";
import type { ToolRow } from "../ipc/bindings/ToolRow";
import { toolCall } from "./callable";
import { notesInSlices, notesOn, SLICE } from "./practices";

const tool = (name: string, schema: string | null = null, description: string | null = "Does it") =>
	toolCall({ name, title: null, description, input_schema: schema, raw: "{}" } as ToolRow);
const texts = (...calls: ReturnType<typeof tool>[]) =>
	notesOn(calls).map(({ name, text }) => `${name}: ${text}`);

it.each([
	["a good one", [tool("a.b", '{"properties":{"x":{"type":"integer","description":"X","default":1}}}')], []],
	["twice", [tool("a"), tool("a")], ["a: stands 2 times"]],
	["an odd name", [tool("a b")], ["a b: the name should be"]],
	["no description", [tool("a", null, " ")], ["a: has no description"]],
	[
		"bare fields",
		[tool("a", '{"properties":{"x":{},"y":{"description":"Y"},"z":{"$ref":"#/a"}}}')],
		["a: 1 of 3 arguments without"],
	],
	[
		"odd defaults",
		[
			tool(
				"a",
				'{"properties":{"x":{"description":"","type":"string","default":null},"y":{"description":"","type":["number","null"],"default":null},"z":{"description":"","type":"integer","default":1.5}}}',
			),
		],
		["a: the default of x", "a: the default of z"],
	],
	["a broken schema", [tool("a", '{"properties":')], []],
	["many flat names", Array.from({ length: 20 }, (_, i) => tool(`t${i}`)), [": none of 20 names"]],
])("%s", (_what, calls, expected) => {
	const said = texts(...calls);
	expect(said.length).toBe(expected.length);
	for (const [i, start] of expected.entries()) expect(said[i]).toContain(start);
});

it("a long list is told the same in slices, and not at all once nobody wants it", async () => {
	const many = Array.from({ length: 2 * SLICE + 1 }, (_, n) =>
		tool(`a${n % (2 * SLICE)}`, null, n % 2 ? "" : "Does it"),
	);
	const pause = () => Promise.resolve();
	expect(await notesInSlices(many, pause, () => false)).toEqual(notesOn(many));
	expect(await notesInSlices(many, pause, () => true)).toBeNull();
});
