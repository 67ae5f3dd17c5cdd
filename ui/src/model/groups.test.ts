import { expect, it } from "vitest";
import { groupNames } from "./groups";

const prefixes = (names: string[]) =>
	groupNames(names).map(({ title, places }) => `${title} ${places.length}`);

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

it("loses no item and keeps the server's order within a group", () => {
	const names = ["s.a", "o.a", "s.b", "x", "o.b", "s.c", "o.c", "y"];
	const groups = groupNames(names);
	expect(groups.flatMap(({ places }) => places).sort()).toEqual(names.map((_, i) => i));
	for (const { places } of groups) expect(places).toEqual([...places].sort((a, b) => a - b));
});
