/** Lays JSON text out over lines, token by token as received. */
import { bytes, plural } from "../format";
import { scan, type TokenType, type Visit } from "./scan";

/** A container that the view folds at first. */
export interface Fold {
	/** Just behind its opening bracket, in the laid-out text. */
	from: number;
	/** Just before its closing bracket. */
	to: number;
	/** What the fold holds: `3 keys, 214 B`. */
	label: string;
}

/** Laid-out text. */
export interface Pretty {
	text: string;
	/** The outermost containers below `foldBelow`. */
	folds: Fold[];
}

interface Open {
	array: boolean;
	items: number;
	/** Behind the bracket, in the laid-out text. */
	from: number;
	/** Behind the bracket, in the source. */
	source: number;
}

const INDENT = "  ";

/** Levels that are indented: each line of a value thousands deep would be as long as that. */
const MAX_INDENT = 100;

/**
 * Lays out `text`. Containers deeper than `foldBelow` (the root is 1) are listed as folds, the outermost of each
 * branch alone. An empty container stays on one line.
 */
export function pretty(text: string, foldBelow = 3): Pretty {
	const out = new Layout(text, foldBelow);
	scan(text, (type, from, to) => out.token(type, from, to));
	return out.finish();
}

/** Source that is laid out between two looks at the clock: some milliseconds' worth. */
const SLICE = 256 * 1024;

/**
 * The same for a long text, in slices with `pause` between them, so that the page can draw. `take` gets the lines of each
 * slice: as one text they would be put together, and taken apart again, at one go. The folds, or null once `stop` says so.
 */
export async function prettyInSlices(
	text: string,
	foldBelow: number,
	pause: () => Promise<void>,
	stop: () => boolean,
	take: (lines: string[]) => void,
): Promise<Fold[] | null> {
	const out = new Layout(text, foldBelow);
	const visit: Visit = (type, from, to) => out.token(type, from, to);
	for (let at = 0; at < text.length; await pause()) {
		if (stop()) return null;
		at = scan(text, visit, at, Math.min(text.length, at + SLICE));
		take(out.drain());
	}
	return out.end(take);
}

class Layout {
	private readonly lines: string[] = [];
	private line = "";
	private readonly folds: Fold[] = [];
	private readonly stack: Open[] = [];
	private length = 0;
	private last: TokenType | null = null;

	constructor(
		private readonly source: string,
		private readonly foldBelow: number,
	) {}

	token(type: TokenType, from: number, to: number): void {
		if (type === "}" || type === "]") this.close(from);
		else this.lead(type);
		this.push(this.source.slice(from, to));
		if (type === "{" || type === "[") {
			this.stack.push({ array: type === "[", items: 0, from: this.length, source: to });
		}
		this.last = type;
	}

	finish(): Pretty {
		let text = "";
		const folds = this.end((lines) => {
			text = lines.join("\n");
		});
		return { text, folds };
	}

	/** The lines that are whole; they are given out once. */
	drain(): string[] {
		return this.lines.splice(0);
	}

	/** Gives out the last lines. */
	end(take: (lines: string[]) => void): Fold[] {
		this.lines.push(this.line);
		this.line = "";
		take(this.drain());
		return this.folds;
	}

	/** What goes before a token that does not close a container. */
	private lead(type: TokenType): void {
		const { last } = this;
		if (type === "," || type === ":" || last === null) return;
		if (last === ":") {
			this.push(" ");
			return;
		}
		const top = this.stack.at(-1);
		if (last === "{" || last === "[" || last === ",") {
			if (top) top.items += 1;
			this.newline(this.stack.length);
		} else {
			// Two values side by side: not JSON, but still to be shown.
			this.push(" ");
		}
	}

	private close(from: number): void {
		const open = this.stack.pop();
		if (!open || open.items === 0) return;
		this.newline(this.stack.length);
		if (this.stack.length === this.foldBelow) {
			const what = plural(open.items, open.array ? "item" : "key");
			this.folds.push({ from: open.from, to: this.length, label: `${what}, ${bytes(from - open.source)}` });
		}
	}

	private newline(depth: number): void {
		this.lines.push(this.line);
		this.line = "";
		this.length += 1;
		this.push(INDENT.repeat(Math.min(depth, MAX_INDENT)));
	}

	private push(text: string): void {
		this.line += text;
		this.length += text.length;
	}
}
