import { expect, it } from "vitest";
import { groupTools } from "./toolGroups";

const prefixes = (names: string[]) =>
	groupTools(names).map(({ prefix, tools }) => `${prefix} ${tools.length}`);

it.each([
	["a short list", ["a.x", "a.y", "b.x", "b.y"], [" 4"]],
	[
		"namespaces, in the order in which they come",
		["b.x", "a.x", "b.y", "a.y", "a.z", "b.z", "echo", "lone.x"],
		["b. 3", "a. 3", "other 2"],
	],
	["one namespace for all", Array.from({ length: 9 }, (_, i) => `browser.t${i}`), [" 9"]],
	["verbs in a short list", ["get-a", "get-b", "get-c", "set-a", "set-b", "x", "y", "z"], [" 8"]],
	[
		"verbs in a long list",
		[
			...Array.from({ length: 13 }, (_, i) => `get_${i}`),
			...Array.from({ length: 12 }, (_, i) => `set_${i}`),
		],
		["get_ 13", "set_ 12"],
	],
])("%s", (_what, names, groups) => expect(prefixes(names)).toEqual(groups));

it("loses no tool and keeps the server's order within a group", () => {
	const names = ["s.a", "o.a", "s.b", "x", "o.b", "s.c", "o.c", "y"];
	const groups = groupTools(names);
	expect(groups.flatMap(({ tools }) => tools).sort()).toEqual(names.map((_, i) => i));
	for (const { tools } of groups) expect(tools).toEqual([...tools].sort((a, b) => a - b));
});
