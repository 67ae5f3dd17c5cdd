/** Terminal colours in a server's text. Only colours and weights are read; every other escape stays text, to be shown. */

/** What a stretch of text looks like. */
export interface Look {
	/** A colour of ours, whatever the shade that was asked for. */
	colour: "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "dim" | null;
	bold: boolean;
}

/** A stretch of text that looks the same. */
export interface Span extends Look {
	text: string;
}

/** Select Graphic Rendition (ECMA-48, 8.3.117). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what a terminal escape begins with
const SGR = /\u001b\[([0-9;:]*)m/g;

const PLAIN: Look = { colour: null, bold: false };
/** By the last digit of codes 30 to 37 and 90 to 97. White is our own text colour. */
const COLOURS: readonly Look["colour"][] = ["dim", "red", "green", "yellow", "blue", "magenta", "cyan", null];

/** Splits text at its colour escapes. */
export function spans(text: string): Span[] {
	const out: Span[] = [];
	let look = PLAIN;
	let from = 0;
	const add = (to: number) => {
		if (to > from) out.push({ ...look, text: text.slice(from, to) });
	};
	for (const match of text.matchAll(SGR)) {
		add(match.index);
		look = after(look, match[1] ?? "");
		from = match.index + match[0].length;
	}
	add(text.length);
	return out;
}

function after(look: Look, parameters: string): Look {
	const codes = parameters.split(/[;:]/).map(Number);
	let now = look;
	for (let i = 0; i < codes.length; i += 1) {
		const code = codes[i] ?? 0;
		if (code === 38 || code === 48) {
			// Of a palette: its number; of all colours: red, green, blue. Shades are not ours.
			const palette = codes[i + 1] === 5;
			if (code === 38) now = { ...now, colour: palette ? paletteColour(codes[i + 2]) : null };
			i += palette ? 2 : 4;
		} else now = change(now, code);
	}
	return now;
}

function change(look: Look, code: number): Look {
	if (code === 0) return PLAIN;
	if (code === 1) return { ...look, bold: true };
	if (code === 2) return { ...look, colour: "dim" };
	if (code === 22) return { ...look, bold: false, colour: look.colour === "dim" ? null : look.colour };
	if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
		return { ...look, colour: COLOURS[code % 10] ?? null };
	}
	return code === 39 ? { ...look, colour: null } : look;
}

function paletteColour(n: number | undefined): Look["colour"] {
	return n !== undefined && n < 16 ? (COLOURS[n % 8] ?? null) : null;
}
