import { expect, it } from "vitest";
import { readContent } from "./content";

const frame = (...blocks: string[]) => `{"jsonrpc":"2.0","id":1,"result":{"content":[${blocks.join(",")}]}}`;
const only = (block: string) => readContent(frame(block)).blocks[0];

it.each([
	["text", '{"type":"text","text":"a\\n\\u0062"}', { kind: "text", text: "a\nb" }],
	[
		"an image from its data",
		'{"type":"image","mimeType":"image/png","data":"AAAA"}',
		{ kind: "image", mime: "image/png", size: 3 },
	],
	["a sound", '{"type":"audio","mimeType":"audio/wav","data":"AAA="}', { kind: "audio", size: 2 }],
	["an image of another type", '{"type":"image","mimeType":"text/html","data":"AAAA"}', { kind: "unknown" }],
	[
		"a type that would leave the data URL",
		'{"type":"image","mimeType":"image/png;x,\\"","data":"AAAA"}',
		{ kind: "unknown" },
	],
	[
		"an image that is no base64",
		'{"type":"image","mimeType":"image/png","data":"<svg>"}',
		{ kind: "unknown" },
	],
	[
		"an embedded text",
		'{"type":"resource","resource":{"uri":"a:b","mimeType":"text/x","text":"t"}}',
		{ kind: "resource", uri: "a:b", text: "t", size: null },
	],
	[
		"an embedded blob",
		'{"type":"resource","resource":{"uri":"a:b","blob":"AAAA"}}',
		{ kind: "resource", size: 3 },
	],
	[
		"a link",
		'{"type":"resource_link","uri":"file:///x","name":"n","size":12}',
		{ kind: "link", uri: "file:///x", name: "n", size: 12 },
	],
	["a block of a kind to come", '{"type":"hologram","x":1}', { kind: "unknown", type: "hologram" }],
	["a text without text", '{"type":"text"}', { kind: "unknown", type: "text" }],
	["no object", "7", { kind: "unknown", raw: "7" }],
	[
		"what it is annotated with",
		'{"type":"text","text":"","annotations":{"audience":["user"],"priority":0.50}}',
		{ note: "for user · priority 0.50" },
	],
])("reads %s", (_what, block, expected) => expect(only(block)).toMatchObject(expected));

it("reads an error with its code and data as received", () => {
	const error =
		'{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"m","data":{"n":9007199254740993}}}';
	expect(readContent(error).error).toEqual({ code: "-32042", message: "m", data: '{"n":9007199254740993}' });
});

it("reads structured content as received, and isError", () => {
	const { structured, isError } = readContent(
		'{"id":1,"result":{"content":[],"structuredContent":{"one": 1.0},"isError":true}}',
	);
	expect([structured, isError]).toEqual(['{"one": 1.0}', true]);
});
