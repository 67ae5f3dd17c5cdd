/** Public faults of other clients in what a server answers, by the ids under which they are collected. */
import { describe, expect, it } from "vitest";
import type { OutcomeRow } from "../ipc/bindings/OutcomeRow";
import { readContent } from "./content";
import { cells } from "./outcome";
import { expand } from "./uriTemplate";

const frame = (result: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 1, result });

describe("P12", () => {
	const outcome = {
		verdict: "ok",
		message: null,
		request: { method: "tools/call", dur_us: 1000 },
		answer: { kind: "result", flags: [] },
	} as unknown as OutcomeRow;
	/** What our check shows beside a result, where it found `problems`. */
	const said = (result: unknown, problems: number) => {
		const { structured, blocks } = readContent(frame(result));
		const row = {
			of: structured ?? "",
			unchecked: null,
			problems: Array.from({ length: problems }) as never,
		};
		const checked = { declared: true, there: structured !== null, row };
		return { structured, blocks: blocks.length, check: cells(outcome, "stdio", null, checked).at(-1) };
	};

	it.each([
		["missing", { content: [{ type: "text", text: '{"n":1}' }] }, 0, null, 1, "nothing structured"],
		["of the wrong type", { content: [], structuredContent: { n: "1" } }, 1, '{"n":"1"}', 0, "1 mismatch"],
		["right", { content: [], structuredContent: { n: 1 } }, 0, '{"n":1}', 0, "valid"],
		["no object", { content: [], structuredContent: [1] }, 1, "[1]", 0, "1 mismatch"],
	])(
		"P12: structured content that is %s is shown, the verdict beside it",
		(_what, result, problems, ...expected) => {
			const { structured, blocks, check } = said(result, problems);
			expect([structured, blocks, check?.text]).toEqual(expected);
			expect(check?.layer).toBe("Our check: outputSchema");
		},
	);
});

it("P13: each item is drawn from its own data, or shown as it came with the reason", () => {
	const content = [
		{ type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
		{ type: "image", mimeType: "png", data: "AAAA" },
		{ type: "image", mimeType: "image/png", data: "!!!" },
		{ type: "image", mimeType: "image/png", data: "AA-_" },
		{ type: "image", mimeType: "image/png" },
		{ type: "audio", mimeType: "audio/wav", data: "UklGRg==" },
		{ type: "resource", resource: { uri: "x://b", mimeType: "text/plain", blob: "AAEC" } },
		{ type: "resource_link", uri: "x://c", name: "c" },
		{ type: "video", x: 1 },
	];
	const { blocks } = readContent(frame({ content }));
	expect(
		blocks.map((block) => [block.kind, "size" in block ? block.size : block.kind === "unknown" && block.why]),
	).toEqual([
		["image", 8],
		["unknown", "its mimeType is of no image"],
		["unknown", "its data is no Base64"],
		["unknown", "its data is no Base64"],
		["unknown", "it has no data"],
		["audio", 4],
		["resource", 3],
		["link", null],
		["unknown", null],
	]);
	expect(blocks.map(({ raw }) => JSON.parse(raw))).toEqual(content);
});

it.each([
	["shop://item/{sku}", { sku: "a/b" }, "shop://item/a%2Fb"],
	["crm://people{?q,limit}", { q: "ä b" }, "crm://people?q=%C3%A4%20b"],
	["crm://people{?q,limit}", {}, "crm://people"],
	["data://{+path}", { path: "a/b c" }, "data://a/b%20c"],
	["data://{path*}", { path: ["a", "b"] }, "data://a,b"],
	["x://{/seg*}{#frag}", { seg: ["a", "b"], frag: "f" }, "x:///a/b#f"],
])("P14: %s with %j", (template, values, uri) => {
	expect(expand(template, JSON.stringify(values))).toBe(uri);
});
