/** The text of a frame in pieces to draw: tokens with their colours, failing values marked, `_meta` folded. */
import { bytes, plural } from "./format";
import { atPointer } from "./json/pointer";
import { scan, type TokenType } from "./json/scan";
import { at, readJson } from "./json/tree";

/** A run of the text. */
export interface FramePiece {
	/** Where it begins, which names it. */
	from: number;
	text: string;
	type: TokenType | "space" | "fold";
	/** Our check fails here. */
	bad: boolean;
}

/** A longer frame is shown without marks: looking through it at every key would be felt. */
const MAX_MARKED = 256 * 1024;

interface Range {
	from: number;
	to: number;
}

/** Where the values that fail stand in the frame: scalars, and containers that are empty. */
export function failingRanges(frame: string, pointers: readonly string[]): Range[] {
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

/** Cuts a frame into pieces, at most `limit` characters of it. */
export function framePieces(
	frame: string,
	bad: readonly Range[],
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
		const marked = bad.some((range) => from >= range.from && to <= range.to);
		out.push({ from, text: shown.slice(from, to), type, bad: marked });
		done = to;
	});
	space(shown.length);
	return out;
}
