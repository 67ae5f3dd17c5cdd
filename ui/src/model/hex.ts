/** Bytes as a hex dump. */

/** Bytes of a line; what is narrow has the fewer. */
export type HexWidth = 8 | 16;

/** Characters of a line of so many bytes. */
export const HEX_COLUMNS: Record<HexWidth, number> = { 8: 43, 16: 76 };

/** Lines of offset, bytes in groups of eight, and their ASCII characters. */
export function hexDump(bytes: Uint8Array, width: HexWidth = 16): string {
	const lines: string[] = [];
	for (let at = 0; at < bytes.length; at += width) {
		const row = bytes.subarray(at, at + width);
		const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, "0"));
		const groups = Array.from({ length: width / 8 }, (_, i) =>
			hex
				.slice(i * 8, i * 8 + 8)
				.join(" ")
				.padEnd(23),
		);
		const ascii = Array.from(row, (byte) =>
			byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".",
		).join("");
		lines.push(`${at.toString(16).padStart(8, "0")}  ${groups.join("  ")}  ${ascii}`);
	}
	return lines.join("\n");
}
