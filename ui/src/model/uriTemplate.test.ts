import { describe, expect, it } from "vitest";
import { expand, schemaOf, variablesOf } from "./uriTemplate";

/** RFC 6570 §3.2: the values of its examples. */
const VALUES = JSON.stringify({
	count: ["one", "two", "three"],
	dom: ["example", "com"],
	hello: "Hello World!",
	half: "50%",
	var: "value",
	who: "fred",
	base: "http://example.com/home/",
	path: "/foo/bar",
	list: ["red", "green", "blue"],
	keys: { semi: ";", dot: ".", comma: "," },
	v: "6",
	x: "1024",
	y: "768",
	empty: "",
	empty_keys: {},
});

describe("examples of RFC 6570", () => {
	it.each([
		["{var}", "value"],
		["{hello}", "Hello%20World%21"],
		["{half}", "50%25"],
		["O{empty}X", "OX"],
		["O{undef}X", "OX"],
		["{x,hello,y}", "1024,Hello%20World%21,768"],
		["?{x,empty}", "?1024,"],
		["{var:3}", "val"],
		["{list*}", "red,green,blue"],
		["{keys*}", "semi=%3B,dot=.,comma=%2C"],
		["{+path}/here", "/foo/bar/here"],
		["{+base}index", "http://example.com/home/index"],
		["{+path:6}/here", "/foo/b/here"],
		["{#path,x}/here", "#/foo/bar,1024/here"],
		["X{.list*}", "X.red.green.blue"],
		["www{.dom*}", "www.example.com"],
		["{/list*,path:4}", "/red/green/blue/%2Ffoo"],
		["{;x,y,empty}", ";x=1024;y=768;empty"],
		["{?x,y,undef}", "?x=1024&y=768"],
		["{?keys*}", "?semi=%3B&dot=.&comma=%2C"],
		["?fixed=yes{&x}", "?fixed=yes&x=1024"],
		["{&list*}", "&list=red&list=green&list=blue"],
	])("%s → %s", (template, uri) => expect(expand(template, VALUES)).toBe(uri));
});

it.each([
	["no JSON", '{"a":'],
	["no object", "[1]"],
	["half a character", '{"a":"\\ud800"}'],
])("%s leaves the template as it is", (_what, values) => {
	expect(expand("x://{+a}", values)).toBe("x://{+a}");
});

it("asks for each variable once, with what its place says", () => {
	const template = "stock://{region}/{+path:4}{?at,fields*}{#region}{}{a b:}";
	expect(variablesOf(template).map(({ name, explode, prefix }) => [name, explode, prefix])).toEqual([
		["region", false, null],
		["path", false, 4],
		["at", false, null],
		["fields", true, null],
	]);
	const { properties } = JSON.parse(schemaOf(template));
	expect(properties.path).toEqual({ type: "string", description: "In {+path:4}: its first 4 characters" });
	expect(properties.fields.anyOf.map((one: { title: string }) => one.title)).toEqual(["text", "list", "map"]);
});
