/** The text of a frame in pieces to draw: tokens with their colours, failing values marked, secrets masked, `_meta` folded. */
import { bytes, plural } from "./format";
import { atPointer } from "./json/pointer";
import { scan, type TokenType } from "./json/scan";
import { at, readJson } from "./json/tree";

/** A run of the text. */
export interface FramePiece {
	/** Where it begins, which names it. */
	from: number;
	text: string;
	type: TokenType | "space" | "fold" | "secret";
	/** Our check fails here. */
	bad: boolean;
}

/** In a longer frame no value is looked for, which would be felt at every key: none that may be secret is shown. */
export const MAX_MARKED = 256 * 1024;

/** What is marked in the frame: JSON pointers into the arguments. */
export interface Marks {
	/** Values that fail our check. */
	failing: readonly string[];
	/** Values that are not to be read over a shoulder; null where they were not looked for. */
	secret: readonly string[] | null;
}

interface Range {
	from: number;
	to: number;
}

/** What stands for a secret. */
const MASK = '"••••"';

/** Tokens that can hold one. */
const SCALARS: ReadonlySet<TokenType> = new Set<TokenType>(["string", "number"]);

/** Where values stand in the frame: scalars, and containers that are empty. */
export function rangesOf(frame: string, pointers: readonly string[]): Range[] {
	if (pointers.length === 0 || frame.length > MAX_MARKED) return [];
	const args = at(readJson(frame), "params", "arguments");
	return pointers
		.map((pointer) => atPointer(args, pointer))
		.filter((value) => value !== null && value.members.length + value.items.length === 0)
		.map((value) => ({ from: value?.from ?? 0, to: value?.to ?? 0 }));
}

/** What is ours and not the user's: `_meta` of the params. */
export function metaRange(frame: string): (Range & { label: string }) | null {
	if (frame.length > MAX_MARKED) return null;
	const meta = at(readJson(frame), "params", "_meta");
	if (meta?.kind !== "object" || meta.members.length === 0) return null;
	return {
		from: meta.from,
		to: meta.to,
		label: `{${plural(meta.members.length, "key")}, ${bytes(meta.to - meta.from)}}`,
	};
}

/** Where values are masked: those that are secret, or all of them where a frame is too long to find those. */
export function maskedIn(frame: string, secret: Marks["secret"]): Range[] | "all" {
	if (secret?.length === 0) return [];
	return secret === null || frame.length > MAX_MARKED ? "all" : rangesOf(frame, secret);
}

/** Cuts a frame into pieces, at most `limit` characters of it. */
export function framePieces(
	frame: string,
	bad: readonly Range[],
	secret: readonly Range[] | "all",
	fold: (Range & { label: string }) | null,
	limit: number,
): FramePiece[] {
	const shown = frame.slice(0, limit);
	const out: FramePiece[] = [];
	let done = 0;
	const space = (to: number) => {
		if (to > done) out.push({ from: done, text: shown.slice(done, to), type: "space", bad: false });
	};
	scan(shown, (type, from, to) => {
		if (fold && from >= fold.from && from < fold.to) {
			if (from !== fold.from) return;
			space(from);
			out.push({ from, text: fold.label, type: "fold", bad: false });
			done = fold.to;
			return;
		}
		space(from);
		const within = (range: Range) => from >= range.from && to <= range.to;
		const masked = secret === "all" ? SCALARS.has(type) : secret.some(within);
		const text = masked ? MASK : shown.slice(from, to);
		out.push({ from, text, type: masked ? "secret" : type, bad: bad.some(within) });
		done = to;
	});
	space(shown.length);
	return out;
}
