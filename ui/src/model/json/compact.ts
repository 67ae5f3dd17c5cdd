/** Takes the spaces between tokens out; every token stays as written. */
import { scan, type TokenType } from "./scan";

const WORD: ReadonlySet<TokenType> = new Set(["string", "key", "number", "literal", "other"]);

/** `text` without spaces between its tokens. Words side by side, which is no JSON, keep one. */
export function compact(text: string): string {
	const out: string[] = [];
	let last: TokenType | null = null;
	scan(text, (type, from, to) => {
		if (last !== null && WORD.has(last) && WORD.has(type)) out.push(" ");
		out.push(text.slice(from, to));
		last = type;
	});
	return out.join("");
}
