import { expect, it } from "vitest";
import { prefill } from "./prefill";

const object = (properties: string, required: string) =>
	`{"type":"object","properties":${properties},"required":${required}}`;

it.each([
	["no schema", null, "{}"],
	["a schema that is no object", "true", "{}"],
	["nothing required", object('{"a":{"type":"string","default":"x"}}', "[]"), "{}"],
	["a string", object('{"a":{"type":"string"}}', '["a"]'), '{"a":""}'],
	[
		"a default with its digits",
		object('{"n":{"default":9007199254740993}}', '["n"]'),
		'{"n":9007199254740993}',
	],
	["a default as written", object('{"n":{"type":"number","default":1.0}}', '["n"]'), '{"n":1.0}'],
	["a const before a default", object('{"n":{"const":1,"default":2}}', '["n"]'), '{"n":1}'],
	["the first of an enum", object('{"n":{"enum":["b","a"]}}', '["n"]'), '{"n":"b"}'],
	[
		"the order of required",
		object('{"a":{"type":"boolean"},"b":{"type":"array"}}', '["b","a"]'),
		'{"b":[],"a":false}',
	],
	["a minimum", object('{"n":{"type":"integer","minimum":1}}', '["n"]'), '{"n":1}'],
	["a type or null", object('{"n":{"type":["string","null"]}}', '["n"]'), '{"n":""}'],
	[
		"a nested object",
		object(`{"o":${object('{"x":{"type":"number"}}', '["x"]')}}`, '["o"]'),
		'{"o":{"x":0}}',
	],
	[
		"a reference",
		`{"type":"object","properties":{"o":{"$ref":"#/$defs/o"}},"required":["o"],"$defs":{"o":{"type":"string"}}}`,
		'{"o":""}',
	],
	["a required property without a schema", object("{}", '["x"]'), '{"x":null}'],
])("prefills %s", (_what, schema, expected) => expect(prefill(schema).replace(/\s/g, "")).toBe(expected));

it("stands a schema that refers to itself", () => {
	const schema =
		'{"type":"object","$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["n"]}},"properties":{"n":{"$ref":"#/$defs/n"}},"required":["n"]}';
	expect(prefill(schema)).toContain("null");
});
