import { expect, it } from "vitest";
import { HEX_COLUMNS, type HexWidth, hexDump } from "./hex";

const BYTES = new TextEncoder().encode("0123456789abcdef\n\u00e9!");

it("has offset, bytes and characters, and says how wide a line is", () => {
	expect(hexDump(BYTES).split("\n")).toEqual([
		"00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef",
		"00000010  0a c3 a9 21                                       ...!",
	]);
	expect(hexDump(BYTES, 8).split("\n")).toEqual([
		"00000000  30 31 32 33 34 35 36 37  01234567",
		"00000008  38 39 61 62 63 64 65 66  89abcdef",
		"00000010  0a c3 a9 21              ...!",
	]);
	for (const width of [8, 16] as HexWidth[])
		expect(hexDump(BYTES, width).split("\n")[0]?.length).toBe(HEX_COLUMNS[width]);
});
