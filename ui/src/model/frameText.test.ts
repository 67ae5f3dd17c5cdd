import { expect, it } from "vitest";
import { framePieces, MAX_MARKED, maskedIn, metaRange, rangesOf } from "./frameText";

const FRAME =
	'{"jsonrpc":"2.0","params":{"name":"t","arguments":{"n":250, "o":{"list":[1,"x"]}, "e":{}},"_meta":{"a":1,"b":{"c":2}}}}';

it("marks the values that fail, and nothing around them", () => {
	const bad = rangesOf(FRAME, ["/n", "/o/list/1", "/o", "/e", "/nowhere"]);
	expect(bad.map(({ from, to }) => FRAME.slice(from, to))).toEqual(["250", '"x"', "{}"]);
	const pieces = framePieces(FRAME, bad, [], null, 1000);
	expect(pieces.filter((piece) => piece.bad).map((piece) => piece.text)).toEqual(["250", '"x"', "{", "}"]);
});

it("masks secrets, and says nothing of their length", () => {
	const secret = rangesOf(FRAME, ["/o/list/1"]);
	const text = framePieces(FRAME, [], secret, null, 1000).map((piece) => piece.text);
	expect(text.join("")).toBe(FRAME.replace('"x"', '"••••"'));
});

it("loses no character", () => {
	expect(
		framePieces(FRAME, [], [], null, 1000)
			.map((piece) => piece.text)
			.join(""),
	).toBe(FRAME);
	expect(
		framePieces(FRAME, [], [], null, 20)
			.map((piece) => piece.text)
			.join(""),
	).toBe(FRAME.slice(0, 20));
});

it("folds what this app adds, by its size", () => {
	const text = framePieces(FRAME, [], [], metaRange(FRAME), 1000)
		.map((piece) => piece.text)
		.join("");
	expect(text.replaceAll("\u00a0", " ")).toContain('"_meta":{2 keys, 19 B}}}');
	expect(metaRange('{"params":{}}')).toBeNull();
});

it("shows no value of a frame that is too long to look for its secrets, but all keys", () => {
	const long = FRAME.replace("250", `250,"pad":"${"x".repeat(MAX_MARKED)}"`);
	for (const secret of [["/o/list/1"], null]) {
		const masked = maskedIn(long, secret);
		expect(masked).toBe("all");
		const text = framePieces(long, [], masked, null, 8000)
			.map((piece) => piece.text)
			.join("");
		expect(text).toContain('"arguments":{"n":"••••","pad":"••••"');
		expect(text).not.toContain("xx");
	}
	expect(maskedIn(long, [])).toEqual([]);
});
