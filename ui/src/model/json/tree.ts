/** Finds parts of JSON text by path, as ranges of the text: nothing is converted but what is asked for. */
import { scan, type TokenType } from "./scan";

/** A value as a range of its text. */
export interface Json {
	kind: "object" | "array" | "string" | "number" | "literal" | "other";
	/** The value as received. */
	raw: string;
	/** Where it stands in the text that was read. */
	from: number;
	to: number;
	/** Members of an object, duplicates included, in order. Keys are decoded. */
	members: Member[];
	/** Items of an array. */
	items: Json[];
}

/** A member of an object. */
export interface Member {
	key: string;
	/** Where its key stands, quotes included. */
	keyFrom: number;
	keyTo: number;
	value: Json;
}

interface Token {
	type: TokenType;
	from: number;
	to: number;
}

/** Nesting at which reading stops; the rest of the branch is taken as one piece. */
const MAX_DEPTH = 500;

/** Reads `text`; null where it holds no value. Cut text gives what is there. */
export function readJson(text: string): Json | null {
	const tokens: Token[] = [];
	scan(text, (type, from, to) => tokens.push({ type, from, to }));
	return tokens.length === 0 ? null : new Reader(text, tokens).value(0);
}

/** The value at `path`; of duplicate keys the last one, as parsers take it. */
export function at(json: Json | null | undefined, ...path: (string | number)[]): Json | null {
	let here = json ?? null;
	for (const step of path) {
		if (!here) return null;
		here =
			typeof step === "number"
				? (here.items[step] ?? null)
				: (here.members.findLast((member) => member.key === step)?.value ?? null);
	}
	return here;
}

/** The characters of a JSON string; null for any other value. */
export function text(json: Json | null | undefined): string | null {
	return json?.kind === "string" ? unquote(json.raw) : null;
}

class Reader {
	private next = 0;

	constructor(
		private readonly source: string,
		private readonly tokens: Token[],
	) {}

	value(depth: number): Json {
		const token = this.tokens[this.next];
		this.next += 1;
		if (!token) return this.leaf("other", this.source.length, this.source.length);
		if (token.type === "{" || token.type === "[") return this.container(token, depth);
		if (token.type === "string" || token.type === "key") return this.leaf("string", token.from, token.to);
		if (token.type === "number" || token.type === "literal")
			return this.leaf(token.type, token.from, token.to);
		return this.leaf("other", token.from, token.to);
	}

	private container(open: Token, depth: number): Json {
		const array = open.type === "[";
		const json: Json = {
			kind: array ? "array" : "object",
			raw: "",
			from: open.from,
			to: this.source.length,
			members: [],
			items: [],
		};
		if (depth >= MAX_DEPTH) this.skipInside();
		while (this.next < this.tokens.length) {
			const token = this.tokens[this.next];
			if (!token) break;
			if (token.type === "}" || token.type === "]") {
				this.next += 1;
				json.to = token.to;
				break;
			}
			if (token.type === ",") this.next += 1;
			else if (array) json.items.push(this.value(depth + 1));
			else this.member(json, token, depth);
		}
		json.raw = this.source.slice(json.from, json.to);
		return json;
	}

	/** Goes to the bracket that closes the container just opened. */
	private skipInside(): void {
		for (let open = 0; this.next < this.tokens.length; this.next += 1) {
			const type = this.tokens[this.next]?.type;
			if (type === "{" || type === "[") open += 1;
			else if (type === "}" || type === "]") {
				if (open === 0) return;
				open -= 1;
			}
		}
	}

	private member(into: Json, key: Token, depth: number): void {
		this.next += 1;
		if (key.type !== "key" || this.tokens[this.next]?.type !== ":") return;
		this.next += 1;
		into.members.push({
			key: unquote(this.source.slice(key.from, key.to)),
			keyFrom: key.from,
			keyTo: key.to,
			value: this.value(depth + 1),
		});
	}

	private leaf(kind: Json["kind"], from: number, to: number): Json {
		return { kind, raw: this.source.slice(from, to), from, to, members: [], items: [] };
	}
}

/** Decodes one string token, also one that was cut; a broken one is shown as it stands. */
function unquote(raw: string): string {
	if (!raw.includes("\\") && raw.length > 1 && raw.endsWith('"')) return raw.slice(1, -1);
	return decode(raw) ?? decode(`${raw.replace(CUT_ESCAPE, "$1")}"`) ?? raw.replace(/^"|"$/g, "");
}

/** Half an escape at the end, behind any number of escaped backslashes. */
const CUT_ESCAPE = /((?:^|[^\\])(?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/;

function decode(raw: string): string | null {
	try {
		const value: unknown = JSON.parse(raw);
		return typeof value === "string" ? value : null;
	} catch {
		return null;
	}
}
