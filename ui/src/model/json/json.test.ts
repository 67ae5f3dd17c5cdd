import { describe, expect, it } from "vitest";
import { pretty, prettyInSlices } from "./pretty";
import { scan } from "./scan";
import { at, readJson, text } from "./tree";

/** JSON text, and the lines that it is laid out to. */
const TABLE: readonly [what: string, source: string, lines: readonly string[]][] = [
	["integers above 2^53", '{"n":9007199254740993}', ["{", '  "n": 9007199254740993', "}"]],
	["1.0 and 1e400", "[1.0,1e400,-0]", ["[", "  1.0,", "  1e400,", "  -0", "]"]],
	["key order and duplicate keys", '{"b":1,"a":2,"b":3}', ["{", '  "b": 1,', '  "a": 2,', '  "b": 3', "}"]],
	["escapes as written", '{"s":"\\u0041\\/\\n"}', ["{", '  "s": "\\u0041\\/\\n"', "}"]],
	["brackets and colons in strings", '{"s":"{[:,]}"}', ["{", '  "s": "{[:,]}"', "}"]],
	["empty containers on one line", '{"a":{},"b":[ ]}', ["{", '  "a": {},', '  "b": []', "}"]],
	["space that was there", ' {\n\t"a" : 1 } ', ["{", '  "a": 1', "}"]],
	["a scalar", '"x"', ['"x"']],
	["text that was cut", '{"a":[1,"b', ["{", '  "a": [', "    1,", '    "b']],
	["what is no JSON", "{a:1}}", ["{", "  a: 1", "}}"]],
];

describe("pretty", () => {
	it.each(TABLE)("keeps %s", (_what, source, lines) => expect(pretty(source).text).toBe(lines.join("\n")));

	it.each(TABLE)("loses no token: %s", (_what, source) => {
		const tokens = (json: string) => {
			const found: string[] = [];
			scan(json, (_type, from, to) => found.push(json.slice(from, to)));
			return found;
		};
		expect(tokens(pretty(source).text)).toEqual(tokens(source));
	});

	it("lays a long text out in slices to the same", async () => {
		const source = `[${Array.from({ length: 40_000 }, (_, i) => `{"id": ${i}, "s":"{\\"${i}"}`).join(",")}]`;
		let pauses = 0;
		const pause = async () => {
			pauses += 1;
		};
		const lines: string[] = [];
		const take = (more: string[]) => {
			for (const line of more) lines.push(line);
		};
		const folds = await prettyInSlices(source, 3, pause, () => false, take);
		expect({ text: lines.join("\n"), folds }).toEqual(pretty(source, 3));
		expect(pauses).toBeGreaterThan(2);
		expect(await prettyInSlices(source, 3, pause, () => true, take), "once nobody waits for it").toBeNull();
	});

	it("lays out ten thousand levels in the room that their text has", () => {
		const source = `${"[".repeat(10_000)}1${"]".repeat(10_000)}`;
		const { text: laid, folds } = pretty(source, 3);
		expect(laid.split("\n").length).toBe(20_001);
		expect(laid.length).toBeLessThan(20_001 * 210);
		expect(folds.length).toBe(1);
	});

	it("folds the outermost containers below the depth, and says what they hold", () => {
		const { text: laid, folds } = pretty('{"a":{"b":{"c":{"d":[1,2]}}},"e":[[[[3]]]]}', 3);
		expect(folds.map((fold) => laid.slice(fold.from - 1, fold.to + 1).replace(/\s/g, ""))).toEqual([
			'{"d":[1,2]}',
			"[[3]]",
		]);
		expect(folds.map((fold) => fold.label.replaceAll("\u00a0", " "))).toEqual(["1 key, 9 B", "1 item, 3 B"]);
	});
});

describe("readJson", () => {
	const json = readJson('{"a":[{"b":"x\\u0041"},2],"a":[{"b":9007199254740993}],"n":1.0}');

	it("takes the last of duplicate keys", () => expect(at(json, "a", 0, "b")?.raw).toBe("9007199254740993"));
	it("keeps all members", () => expect(json?.members.map((member) => member.key)).toEqual(["a", "a", "n"]));
	it("decodes strings alone", () => {
		expect(text(readJson('"x\\u0041"'))).toBe("xA");
		expect(text(at(json, "n"))).toBeNull();
		expect(at(json, "n")?.raw).toBe("1.0");
	});
	it("finds nothing where nothing is", () => {
		expect(at(json, "a", 7, "b")).toBeNull();
		expect(readJson("  ")).toBeNull();
	});
	it("stands deep nesting", () => {
		const deep = `${"[".repeat(5000)}1${"]".repeat(5000)}`;
		expect(readJson(deep)?.raw).toBe(deep);
	});
	it.each([
		['"a\\"b', 'a"b'],
		['"a\\"', 'a"'],
		['"a\\', "a"],
		['"a\\\\', "a\\"],
		['"a\\u20', "a"],
		['"a\\x"', "a\\x"],
	])("decodes the cut or broken string %s", (raw, expected) => expect(text(readJson(raw))).toBe(expected));
	it("gives what is there of text that was cut", () =>
		expect(
			text(at(readJson('{"result":{"content":[{"type":"text","text":"hal'), "result", "content", 0, "type")),
		).toBe("text"));
});
