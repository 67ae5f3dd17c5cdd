import { expect, it } from "vitest";
import { promptCall } from "./callable";
import { completionParams } from "./completion";

const prompt = {
	name: "caf\u00e9",
	title: null,
	description: "Speaks",
	uri: "",
	mime_type: null,
	size: null,
	arguments: [
		{ name: 'a"b', title: "A", description: null, required: true },
		{ name: "c", title: null, description: "C", required: false },
	],
	raw: '{"name":"caf\\u00e9"}',
	problem: null,
};

it("a prompt is a form of strings, and its name goes back as the server wrote it", () => {
	const call = promptCall(prompt);
	expect(JSON.parse(call.schema ?? "")).toEqual({
		type: "object",
		properties: { 'a"b': { type: "string", title: "A" }, c: { type: "string", description: "C" } },
		required: ['a"b'],
	});
	expect(call.params('{"c": "x"}')).toBe('{"name":"caf\\u00e9","arguments":{"c": "x"}}');
	expect(call.params(" ")).toBe('{"name":"caf\\u00e9"}');
	expect(call.ref).toBe('{"type":"ref/prompt","name":"caf\\u00e9"}');
	expect(call.marks).toEqual([{ word: "2 args", bad: false }]);
});

const REF = '{"type":"ref/prompt","name":"x"}';

it.each([
	["the other arguments", '{"a":"1","b":"2"}', ',"context":{"arguments":{"b":"2"}}'],
	["strings alone", '{"b":2,"c":null,"d":"\\u0041"}', ',"context":{"arguments":{"d":"\\u0041"}}'],
	["none where nothing else is filled in", '{"a":"1"}', ""],
	["none where the text is no JSON", '{"b":', ""],
])("completion tells as context %s", (_what, filled, context) => {
	const argument = '{"name":"a","value":"x\\"y"}';
	expect(completionParams(REF, "a", 'x"y', filled)).toBe(`{"ref":${REF},"argument":${argument}${context}}`);
});
