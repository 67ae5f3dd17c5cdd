/** Public faults of forms in other clients, each by its id in the collection that they come from. */
import { describe, expect, it } from "vitest";
import { readJson, text } from "../json/tree";
import { sortFailures } from "./checks";
import { Driver } from "./driver";
import { readForm } from "./form";
import { numberRaw, shown, tokenRaw } from "./states";
import { facts, typeWord } from "./words";

const object = (properties: object, required: string[] = [], more: object = {}) => ({
	type: "object",
	properties,
	required,
	...more,
});

it("F01: optional fields that nobody touched are not sent", () => {
	const form = new Driver(object({ id: { type: "string" }, note: { type: "string" } }, ["id"]));
	expect(form.text).toBe("{}");
	expect(form.type("id", "a1").text).toBe('{"id":"a1"}');
});

it("F02: untouched arrays and objects are left out, an empty list can be sent", () => {
	const form = new Driver(
		object(
			{
				q: { type: "string" },
				fields: { type: "array", items: { type: "string" } },
				opts: object({ a: { type: "integer" } }),
			},
			["q"],
		),
	);
	form.type("q", "x");
	expect(form.text).toBe('{"q":"x"}');
	expect(form.do("fields", (edits, row) => edits.empty(row)).text).toBe('{"q":"x","fields":[]}');
	expect(form.do("fields", (edits, row) => edits.omit(row)).text).toBe('{"q":"x"}');
});

it("F03: what may be null can be typed into, and null on and off keeps what was typed", () => {
	const or = (one: object) => ({ anyOf: [one, { type: "null" }], default: null });
	const form = new Driver(
		object({ topic: or({ type: "string" }), teams: or({ type: "array", items: { type: "string" } }) }),
	);
	expect(form.text).toBe("{}");
	expect(form.row("topic").control).toBe("text");
	expect(form.row("teams").control).toBe("list");
	expect(typeWord(form.row("topic").shape)).toBe("string | null");
	expect(form.type("topic", "sun").text).toBe('{"topic":"sun"}');
	expect(form.do("topic", (edits, row) => edits.setNull(row)).text).toBe('{"topic":null}');
	expect(form.row("topic").state).toBe("null");
	expect(form.do("topic", (edits, row) => edits.value(row)).text).toBe('{"topic":"sun"}');
	form.do("topic", (edits, row) => edits.omit(row)).do("teams", (edits, row) => edits.addToken(row, '"a"'));
	expect(form.text).toBe('{"teams":["a"]}');
});

it("F04: null, the text null and the empty text are three values", () => {
	const form = new Driver(
		object({ a: { type: ["string", "null"], default: null }, b: { type: ["string", "null"] } }, ["b"]),
	);
	expect(form.do("b", (edits, row) => edits.setNull(row)).text).toBe('{"b":null}');
	expect(form.type("b", "null").text).toBe('{"b":"null"}');
	expect(form.row("b").state).toBe("value");
	expect(form.do("b", (edits, row) => edits.empty(row)).text).toBe('{"b":""}');
	expect(form.row("b").state).toBe("empty");
});

it("F05: a $ref is followed, what stands beside it wins", () => {
	const form = new Driver(
		object({ mood: { $ref: "#/$defs/Mood", description: "sibling text wins", default: "busy" } }, ["mood"], {
			$defs: { Mood: { type: "string", enum: ["calm", "busy"], title: "Mood", description: "not this" } },
		}),
	);
	const { shape, control } = form.row("mood");
	expect(control).toBe("enum");
	expect(shape.options.map(({ label }) => label)).toEqual(["calm", "busy"]);
	expect(shape.description).toBe("sibling text wins");
	expect(form.text).toBe('{"mood":"busy"}');
});

it("F07: an array of objects has rows with typed fields that are added, removed and moved", () => {
	const form = new Driver(
		object(
			{
				customer: { type: "string" },
				items: {
					type: "array",
					minItems: 1,
					items: object(
						{
							sku: { type: "string" },
							qty: { type: "integer", minimum: 1, default: 1 },
							price: { type: "number" },
						},
						["sku"],
					),
				},
			},
			["customer", "items"],
		),
	);
	expect(form.text, "one row is asked for").toBe('{"items":[{}]}');
	form.type("items/0/sku", "KX").number("items/0/qty", "2");
	form.do("items", (edits, row) => edits.add(row)).type("items/1/sku", "AB");
	expect(form.text).toBe('{"items":[{"sku":"KX","qty":2},{"sku":"AB"}]}');
	form.do("items/1", (edits, row) => edits.move(row, -1));
	expect(form.text).toBe('{"items":[{"sku":"AB"},{"sku":"KX","qty":2}]}');
	form.do("items/0", (edits, row) => edits.removeAt(row));
	expect(form.text).toBe('{"items":[{"sku":"KX","qty":2}]}');
	expect(form.row("items/0/qty").control).toBe("number");
});

it("F08: values inside an array of objects arrive", () => {
	const form = new Driver(
		object(
			{
				cells: {
					type: "array",
					items: object({ at: { type: "string" }, value: { type: "number" } }, ["at", "value"]),
				},
			},
			["cells"],
		),
	);
	for (const [i, at, value] of [
		[0, "A1", "1"],
		[1, "B2", "2.5"],
	] as const) {
		form.do("cells", (edits, row) => edits.add(row));
		form.type(`cells/${i}/at`, at).number(`cells/${i}/value`, value);
	}
	expect(form.text).toBe('{"cells":[{"at":"A1","value":1},{"at":"B2","value":2.5}]}');
});

it("F09: numbers are numbers; what is none is seen, and not guessed at", () => {
	const form = new Driver(object({ n: { type: "integer" }, r: { type: "number" } }, ["n"]));
	expect(form.number("n", "5").number("r", "1e3").text).toBe('{"n":5,"r":1e3}');
	expect(form.number("n", "5.5").text).toBe('{"n":5.5,"r":1e3}');
	expect(form.number("n", "abc").text).toBe('{"n":"abc","r":1e3}');
	expect(form.row("n").control, "the field stays").toBe("number");
	const problem = { path: "/n", missing: null, keyword: "type", message: "integer expected, got string" };
	expect(sortFailures([problem], form.rows, form.text, form.text, form.memory).byRow.get("/n")?.length).toBe(
		1,
	);
	expect(form.number("n", "").text, "nothing typed is nothing sent").toBe('{"r":1e3}');
});

it("F10: a boolean has three states", () => {
	const form = new Driver(object({ force: { type: "boolean" }, dry: { type: "boolean", default: true } }));
	expect(form.text).toBe("{}");
	expect(form.choose("force", "false").text).toBe('{"force":false}');
	form.do("force", (edits, row) => edits.omit(row));
	expect(form.choose("dry", "false").text).toBe('{"dry":false}');
});

describe("F11", () => {
	const schema =
		'{"type":"object","properties":{"id":{"type":"integer","default":9007199254740993}},"required":["id"]}';

	it("F11: an integer above 2^53 keeps its digits as typed", () => {
		expect(new Driver(schema).number("id", "7310000000000000123").text).toBe('{"id":7310000000000000123}');
	});

	it("F11: so does a default of the schema", () => {
		const form = new Driver(schema);
		expect(form.text).toBe('{"id":9007199254740993}');
		expect(shown(form.row("id").value, text)).toBe("9007199254740993");
	});

	it("F11: and what was written in the JSON tab, while something else is edited", () => {
		const form = new Driver(object({ id: { type: "integer" }, a: { type: "string" } }), {
			text: '{ "id": 7310000000000000123, "one": 1.0 }',
		});
		expect(form.type("a", "x").text).toBe('{ "id": 7310000000000000123, "a": "x", "one": 1.0 }');
	});
});

it("F13: choices keep their JSON types, a list of choices is a multi-select", () => {
	const form = new Driver(
		object({
			level: { type: "string", enum: ["debug", "info", "error"] },
			code: { enum: [1, "1", true, null] },
			kinds: { type: "array", uniqueItems: true, items: { enum: ["x", "y", "z"] } },
		}),
	);
	expect(form.rows.map((row) => row.control)).toEqual(["enum", "enum", "multi"]);
	const { options } = form.row("code").shape;
	expect(options.map(({ label }) => label)).toEqual(["1", '"1"', "true", "null"]);
	for (const { raw } of options) expect(form.choose("code", raw).text).toBe(`{"code":${raw}}`);
	form.do("code", (edits, row) => edits.omit(row));
	for (const raw of ['"z"', '"x"', '"z"']) form.do("kinds", (edits, row) => edits.toggle(row, raw));
	expect(form.text).toBe('{"kinds":["x"]}');
});

it("F17: changing the variant leaves nothing of the old one, and going back restores it", () => {
	const variant = (kind: string, ...numbers: string[]) =>
		object(
			{ kind: { const: kind }, ...Object.fromEntries(numbers.map((name) => [name, { type: "number" }])) },
			["kind", ...numbers],
		);
	const form = new Driver(
		object({ shape: { oneOf: [variant("circle", "r"), variant("rect", "w", "h")] } }, ["shape"]),
	);
	expect(form.text, "const is filled in").toBe('{"shape":{"kind":"circle"}}');
	form.number("shape/r", "2").variant("shape", "rect").number("shape/w", "1").number("shape/h", "3");
	expect(form.text).toBe('{"shape":{"kind":"rect","w":1,"h":3}}');
	expect(form.variant("shape", "circle").text).toBe('{"shape":{"kind":"circle","r":2}}');
	expect(form.variant("shape", "rect").text).toBe('{"shape":{"kind":"rect","w":1,"h":3}}');
});

describe("a schema that refers to itself", () => {
	const node = object(
		{
			name: { type: "string" },
			children: { type: "array", items: { $ref: "#/$defs/Node" } },
			next: { $ref: "#/$defs/Node" },
		},
		["name"],
	);
	const schema = object({ tree: { $ref: "#/$defs/Node" } }, ["tree"], { $defs: { Node: node } });

	it("F18: opens at once, and one level at a time", () => {
		const form = new Driver(schema);
		expect(form.rows.map((row) => row.id)).toEqual(["/tree", "/tree/name", "/tree/children", "/tree/next"]);
		form.do("tree/next", (edits, row) => edits.value(row)).type("tree/next/name", "n");
		form.do("tree/children", (edits, row) => edits.add(row));
		expect(form.text).toBe('{"tree":{"children":[{}],"next":{"name":"n"}}}');
		expect(form.row("tree/children/0/next").state).toBe("omit");
	});

	it("F18: ends also where it requires itself, or nests unions and arrays of itself", () => {
		const self = { $ref: "#/$defs/A" };
		for (const A of [
			object({ a: self }, ["a"]),
			{ type: "array", items: self },
			{ anyOf: [self, { type: "null" }] },
			{ oneOf: [self, { type: "array", items: self }] },
			{ allOf: [{ allOf: [self] }] },
		]) {
			const form = new Driver(object({ v: self }, ["v"], { $defs: { A } }));
			expect(form.rows.some((row) => row.id === "/v")).toBe(true);
			expect(readJson(form.text)?.kind).toBe("object");
		}
	});

	it("F20: the schema's text is read and never written", () => {
		const source = JSON.stringify(schema);
		const form = new Driver(source);
		expect(form.row("tree").shape.parts.list.at(0)?.get("$ref")?.raw).toBe('"#/$defs/Node"');
		expect(readJson(source)?.raw).toBe(source);
	});
});

it("F23: a pattern is shown and never run here", () => {
	const pattern = "^(a+)+$";
	const form = new Driver(object({ s: { type: "string", pattern } }));
	const before = performance.now();
	form.type("s", `${"a".repeat(200)}!`);
	expect(form.rows.length).toBe(1);
	expect(performance.now() - before, "milliseconds").toBeLessThan(200);
	expect(facts(form.row("s").shape)).toContainEqual({ keyword: "pattern", value: pattern });
});

it.each([
	["a", { anyOf: [{ type: "object" }, { type: "object" }] }, "neither type nor properties"],
	["b", {}, "neither type nor properties"],
	["c", null, "missing"],
	["d", { type: "object", properties: {}, required: null }, "required in inputSchema is null"],
	["e", undefined, "missing"],
	["f", { type: "string" }, 'type in inputSchema is "string"'],
	["ok", { type: "object" }, null],
])("F24: tool %s says what is wrong with its schema, and takes raw JSON", (_name, schema, fault) => {
	const form = readForm(schema === undefined ? null : JSON.stringify(schema));
	expect(form.root, "there is no field to draw").toBeNull();
	if (fault === null) expect(form.fault).toBeNull();
	else expect(form.fault).toContain(fault);
});

it("F25: a schema that is only its dialect says so", () => {
	const form = readForm('{"$schema":"http://json-schema.org/draft-07/schema#"}');
	expect(form.root).toBeNull();
	expect(form.fault).toContain("neither type nor properties");
});

it("F27: keys that the schema does not know survive the form", () => {
	const none = readForm('{"type":"object"}');
	expect([none.root, none.fault]).toEqual([null, null]);
	expect(none.empty).toContain("names no properties");
	const form = new Driver(object({ a: { type: "string" } }), {
		text: '{"url":"https://example.com","a":"x"}',
	});
	expect(form.type("a", "y").text).toBe('{"url":"https://example.com","a":"y"}');
	expect(form.row("url").extra).toBe(true);
});

it("F28: allOf at the root is merged, a rule about names is told", () => {
	const form = new Driver(
		object({ mode: { type: "string" } }, [], {
			allOf: [{ properties: { a: { type: "string" } }, required: ["a"] }],
			anyOf: [{ required: ["mode"] }, { required: ["a"] }],
		}),
	);
	expect(form.rows.map((row) => [row.name, row.required])).toEqual([
		["mode", false],
		["a", true],
	]);
	expect(form.form.root?.rules).toEqual(["anyOf: mode or a"]);
});

it("F30: a free object is JSON, a map has rows whose values keep their type, a repeated key is reported", () => {
	const form = new Driver(
		object(
			{
				command: { type: "string" },
				parameters: { type: "object", description: "depends on command" },
				labels: { type: "object", additionalProperties: { type: "string" } },
			},
			["command"],
		),
	);
	expect(form.row("parameters").control).toBe("json");
	form.do("labels", (edits, row) => edits.add(row));
	form.do("labels/0", (edits, row) => edits.rename(row, "n")).type("labels/0", "5");
	expect(form.text).toBe('{"labels":{"n":"5"}}');
	form.do("labels", (edits, row) => edits.add(row)).do("labels/1", (edits, row) => edits.rename(row, "n"));
	form.type("labels/1", "6");
	expect(form.text).toBe('{"labels":{"n":"5","n":"6"}}');
	expect(form.rows.filter((row) => row.repeated).map((row) => row.id)).toEqual(["/labels/1"]);
});

it("F32: bounds that every safe integer has are no hint", () => {
	const form = new Driver(
		object({
			page: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
			n: { type: "integer", minimum: 1, maximum: 9007199254740991 },
		}),
	);
	expect(typeWord(form.row("page").shape)).toBe("integer");
	expect(facts(form.row("page").shape)).toEqual([]);
	expect(typeWord(form.row("n").shape)).toBe("integer ≥ 1");
	expect(form.number("page", "3").text).toBe('{"page":3}');
});

it("F33: what an agent sees of a field, its user sees", () => {
	const form = new Driver(
		object({
			q: { type: "string", minLength: 2, maxLength: 5, pattern: "^[a-z]+$", examples: ["tea"] },
			n: { type: "integer", exclusiveMinimum: 0, multipleOf: 5, default: 10 },
		}),
	);
	expect(typeWord(form.row("q").shape)).toBe("string 2–5 chars");
	expect(typeWord(form.row("n").shape)).toBe("integer > 0, × 5");
	expect(
		Object.fromEntries(facts(form.row("q").shape).map(({ keyword, value }) => [keyword, value])),
	).toEqual({
		pattern: "^[a-z]+$",
		minLength: "2",
		maxLength: "5",
		examples: '"tea"',
	});
	expect(facts(form.row("n").shape)).toContainEqual({ keyword: "default", value: "10" });
});

it("F34: a long enum is one field", () => {
	const values = Array.from({ length: 126 }, (_, i) => `v${i}`);
	const form = new Driver(object({ p: { enum: values } }));
	expect(form.row("p").shape.options.length).toBe(126);
	expect(form.choose("p", '"v125"').text).toBe('{"p":"v125"}');
});

it("F35: parts that the form cannot draw are JSON fields, the rest is fields", () => {
	const form = new Driver(
		object(
			{
				kind: { enum: ["file", "url"] },
				path: { type: "string" },
				url: { type: "string" },
				pt: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }], items: false },
				hdr: {
					type: "object",
					patternProperties: { "^x-": { type: "string" } },
					additionalProperties: false,
				},
				any: true,
				never: false,
			},
			[],
			{
				if: { properties: { kind: { const: "file" } }, required: ["kind"] },
				// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
				then: { required: ["path"] },
				else: { required: ["url"] },
			},
		),
	);
	expect(form.rows.map((row) => [row.name, row.control])).toEqual([
		["kind", "enum"],
		["path", "text"],
		["url", "text"],
		["pt", "json"],
		["hdr", "json"],
		["any", "json"],
		["never", "json"],
	]);
	expect(form.form.root?.rules).toEqual(["if / then / else"]);
	expect(form.choose("pt", "[1, 2]").text).toBe('{"pt":[1, 2]}');
});

it.each([
	["5", "5"],
	["-0", "-0"],
	["1.0", "1.0"],
	["1e3", "1e3"],
	["007", '"007"'],
	["+5", '"+5"'],
	["1.", '"1."'],
	["0x10", '"0x10"'],
	["NaN", '"NaN"'],
	["", '""'],
])("a number typed as %s is sent as %s", (typed, raw) => expect(numberRaw(typed)).toBe(raw));

it("tokens take the type of their items", () => {
	const list = (items: object) => new Driver(object({ a: { type: "array", items } })).row("a");
	expect(tokenRaw(list({ type: "string" }), "5")).toBe('"5"');
	expect(tokenRaw(list({ type: "integer" }), "5")).toBe("5");
	expect(tokenRaw(list({ type: "integer" }), "x")).toBe('"x"');
	expect(tokenRaw(list({ type: "boolean" }), "true")).toBe("true");
});
