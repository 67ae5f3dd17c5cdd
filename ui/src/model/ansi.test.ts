import { describe, expect, it } from "vitest";
import { spans } from "./ansi";

/** Text with its colours in braces: `{red}a{}b`. */
const marked = (text: string) =>
	spans(text)
		.map(({ text: part, colour, bold }) => `{${[colour, bold && "bold"].filter(Boolean).join(" ")}}${part}`)
		.join("");

describe("terminal colours", () => {
	it.each([
		["plain", "{}plain"],
		["\u001b[32mINFO\u001b[0m x", "{green}INFO{} x"],
		["\u001b[1;31mE\u001b[22mr\u001b[mx", "{red bold}E{red}r{}x"],
		["\u001b[94mb\u001b[39mx", "{blue}b{}x"],
		["\u001b[38;5;9mr\u001b[38;5;200mx", "{red}r{}x"],
		["\u001b[38;2;1;2;3mx\u001b[48;5;1my", "{}x{}y"],
		["\u001b[2md\u001b[22mx", "{dim}d{}x"],
		["", ""],
	])("%j", (text, expected) => expect(marked(text)).toBe(expected));

	it("leaves every other escape in the text, so that it is shown", () => {
		expect(spans("\u001b[2Ja\u001b]0;t\u0007b")).toEqual([
			{ colour: null, bold: false, text: "\u001b[2Ja\u001b]0;t\u0007b" },
		]);
	});
});
