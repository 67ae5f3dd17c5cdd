/** Bytes as a hex dump. */

const WIDTH = 16;

/** Lines of offset, sixteen bytes, and their ASCII characters. */
export function hexDump(bytes: Uint8Array): string {
	const lines: string[] = [];
	for (let at = 0; at < bytes.length; at += WIDTH) {
		const row = bytes.subarray(at, at + WIDTH);
		const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, "0"));
		const left = hex.slice(0, 8).join(" ");
		const right = hex.slice(8).join(" ");
		const ascii = Array.from(row, (byte) =>
			byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".",
		).join("");
		lines.push(`${at.toString(16).padStart(8, "0")}  ${left.padEnd(23)}  ${right.padEnd(23)}  ${ascii}`);
	}
	return lines.join("\n");
}
