import { expect, it } from "vitest";
import { compare, isDeclared, unknownCapabilities } from "./capabilities";
import { readJson } from "./json/tree";
import { declares, readServerInfo } from "./serverInfo";

const seen = (seen: number, refused = 0, code: number | null = null) => ({ seen, refused, code });

it.each([
	[true, null, "none", "not seen yet"],
	[true, seen(3), "ok", "seen 3×"],
	[true, seen(3, 1, -32602), "ok", "seen 3×, refused 1×"],
	[false, seen(3), "warning", "seen 3×, not declared"],
	[true, seen(0, 2, -32601), "error", "declared, but -32601 Method not found"],
	[false, seen(0, 2, -32601), "ok", "-32601, as declared"],
	[true, seen(0, 1, -32602), "none", "refused 1×, -32602"],
] as const)("declared %s and %o is %s", (declared, observed, tone, text) => {
	expect(compare(declared, observed)).toEqual({ tone, text });
});

it("finds what the specification does not know, and takes false for not declared", () => {
	const capabilities = readJson(
		'{"tools":{"listChanged":false,"odd":1},"resources":{},"speed":{"x":1},"experimental":{"a":{}},"prompts":null}',
	);
	expect(unknownCapabilities(capabilities)).toEqual([
		{ name: "tools.odd", raw: "1" },
		{ name: "speed", raw: '{"x":1}' },
	]);
	const declared = (...path: string[]) => isDeclared(capabilities, path);
	expect([
		declared("tools"),
		declared("tools", "listChanged"),
		declared("prompts"),
		declared("logging"),
	]).toEqual([true, false, false, false]);
});

it.each([
	[
		"server/discover",
		'{"supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":60000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"m","version":"1"}}}',
		["m", "1", ["2026-07-28"], "60000", "public"],
	],
	[
		"server/discover",
		'{"supportedVersions":["2026-07-28",5],"serverInfo":{"name":"early"}}',
		["early", null, ["2026-07-28", "5"], null, null],
	],
	[
		"initialize",
		'{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"l","version":"2"}}',
		["l", "2", ["2025-11-25"], null, null],
	],
	["initialize", "[]", [null, null, [], null, null]],
])("reads the answer to %s", (method, result, expected) => {
	const info = readServerInfo({ method, request: 1, answer: 2, message: `{"result":${result}}` });
	expect([info.name, info.version, info.versions, info.ttlMs, info.cacheScope]).toEqual(expected);
	expect(declares(info, "tools")).toBe(result.includes("tools"));
	expect(declares(null, "tools")).toBeNull();
});
