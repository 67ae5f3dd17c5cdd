/**
 * Text from a server is hostile: characters that cannot be seen, or that reorder what is seen, are written out.
 * One list of them serves the rows, the editor and the raw view.
 */

/**
 * Controls, format characters (bidi, zero width, tags), separators, lone surrogates, and whatever else renders as
 * nothing. The emoji selector U+FE0F is left alone.
 */
export const INVISIBLE = /(?!\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The same for text of several lines: line feeds and tabs do what they say. */
export const INVISIBLE_IN_LINES =
	/(?![\ufe0f\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The characters below U+0020 by their names in ASCII. */
const C0 =
	"NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(
		" ",
	);

/** The name of such a character: `ESC`, `U+202E`. */
export function nameOf(char: string): string {
	const code = char.codePointAt(0) ?? 0;
	return C0[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A piece of text: shown as it is, or one invisible character by its name. */
export interface Piece {
	text: string;
	invisible: boolean;
}

/** Splits text at its invisible characters; with `lines`, line feeds and tabs are none. */
export function pieces(text: string, lines = false): Piece[] {
	const out: Piece[] = [];
	let from = 0;
	for (const match of text.matchAll(lines ? INVISIBLE_IN_LINES : INVISIBLE)) {
		if (match.index > from) out.push({ text: text.slice(from, match.index), invisible: false });
		out.push({ text: nameOf(match[0]), invisible: true });
		from = match.index + match[0].length;
	}
	if (from < text.length) out.push({ text: text.slice(from), invisible: false });
	return out;
}

/** The text with its invisible characters written out, for titles and accessible names. */
export function visible(text: string): string {
	return text.replace(INVISIBLE, (char) => `‹${nameOf(char)}›`);
}
