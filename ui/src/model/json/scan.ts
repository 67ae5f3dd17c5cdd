/**
 * A lossless tokenizer for JSON text. It never fails and never converts a value: every token is a range of the
 * text as received, so digits, escapes, duplicate keys and key order cannot change. Text that is not JSON comes
 * out as `other` tokens; text that was cut comes out up to the cut.
 */

/** What a token is. `key` is a string before a colon. */
export type TokenType = "{" | "}" | "[" | "]" | "," | ":" | "key" | "string" | "number" | "literal" | "other";

/** Takes each token with its range. */
export type Visit = (type: TokenType, from: number, to: number) => void;

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;

/** The single-character tokens, by character code. */
const SINGLE: readonly (TokenType | undefined)[] = (() => {
	const table = new Array<TokenType | undefined>(128).fill(undefined);
	for (const token of ["{", "}", "[", "]", ",", ":"] as const) table[token.charCodeAt(0)] = token;
	return table;
})();

/**
 * Walks over the tokens of `text` that begin in `from`..`until`; returns where the next one would begin, so that a long
 * text can be walked over in slices.
 */
export function scan(text: string, visit: Visit, from = 0, until = text.length): number {
	let at = from;
	while (at < until) {
		const code = text.charCodeAt(at);
		if (isSpace(code)) {
			at += 1;
		} else if (code === QUOTE) {
			const to = stringEnd(text, at);
			visit(isKey(text, to) ? "key" : "string", at, to);
			at = to;
		} else {
			const single = SINGLE[code];
			const to = single ? at + 1 : wordEnd(text, at);
			visit(single ?? wordType(text, at, to), at, to);
			at = to;
		}
	}
	return at;
}

function isSpace(code: number): boolean {
	return code === 32 || code === 10 || code === 13 || code === 9;
}

function stringEnd(text: string, from: number): number {
	for (let at = from + 1; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		if (code === BACKSLASH) at += 1;
		else if (code === QUOTE) return at + 1;
	}
	return text.length;
}

function isKey(text: string, end: number): boolean {
	let at = end;
	while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
	return text.charCodeAt(at) === COLON;
}

function wordEnd(text: string, from: number): number {
	let at = from;
	while (at < text.length) {
		const code = text.charCodeAt(at);
		if (isSpace(code) || code === QUOTE || SINGLE[code] !== undefined) break;
		at += 1;
	}
	return at;
}

function wordType(text: string, from: number, to: number): TokenType {
	const first = text.charCodeAt(from);
	if (first === 45 || (first >= 48 && first <= 57)) return "number";
	const word = text.slice(from, to);
	return word === "true" || word === "false" || word === "null" ? "literal" : "other";
}
