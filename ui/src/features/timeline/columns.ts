/** The timeline's columns: which there are, how wide they are, which are hidden. */
import { clampWidth } from "../../components/ColumnGrip";
import { count } from "../../model/format";
import type { Widths } from "../../model/settings";

export interface Column {
	id: ColumnId;
	/** What the head says. */
	head: string;
	/** In words, for the list of columns and screen readers. */
	name: string;
	/** Pixels, unless set. */
	width: number;
	align?: "right" | "middle";
}

export type ColumnId =
	| "number"
	| "time"
	| "gap"
	| "direction"
	| "kind"
	| "method"
	| "summary"
	| "id"
	| "duration"
	| "size"
	| "waterfall";

export const COLUMNS: readonly Column[] = [
	{ id: "number", head: "#", name: "Number", width: 34, align: "right" },
	{ id: "time", head: "Time", name: "Time", width: 108 },
	{ id: "gap", head: "Δ", name: "Gap to the record before", width: 80, align: "right" },
	{ id: "direction", head: "⇄", name: "Direction", width: 24, align: "middle" },
	{ id: "kind", head: "Kind", name: "Kind", width: 74 },
	{ id: "method", head: "Method", name: "Method", width: 122 },
	{ id: "summary", head: "Summary", name: "Summary", width: 0 },
	{ id: "id", head: "Id", name: "Id", width: 40, align: "right" },
	{ id: "duration", head: "Duration", name: "Duration", width: 72, align: "right" },
	{ id: "size", head: "Size", name: "Size", width: 58, align: "right" },
	{ id: "waterfall", head: "", name: "Waterfall", width: 100 },
];

/** Pixels that Summary has at least; it takes the slack. */
const SUMMARY = 120;
/** Columns whose room the text of a row without method and id takes. */
const SPANNED = new Set<ColumnId>(["method", "summary", "id", "duration"]);

/** How the columns lie. */
export interface Layout {
	shown: readonly Column[];
	has: ReadonlySet<ColumnId>;
	/** `grid-template-columns`. */
	template: string;
	/** Below this width the rows scroll sideways, pixels. */
	least: number;
	/** How many columns a text takes that spans Method to Duration. */
	span: number;
}

/** The layout for the set widths (0 hides), in a log of so many records: the first column grows with their numbers. */
export function layoutOf(widths: Widths, logTotal: number): Layout {
	const shown = COLUMNS.filter(({ id }) => id === "summary" || widths[id] !== 0);
	const digits = 14 + 7 * count(logTotal).length;
	const sizes = shown.map((column) => {
		const width = widthOf(column, widths);
		return column.id === "number" ? Math.max(width, digits) : width;
	});
	return {
		shown,
		has: new Set(shown.map(({ id }) => id)),
		template: shown
			.map(({ id }, i) => (id === "summary" ? `minmax(${SUMMARY}px, 1fr)` : `${sizes[i]}px`))
			.join(" "),
		least: sizes.reduce((sum, size) => sum + size, SUMMARY),
		span: shown.filter(({ id }) => SPANNED.has(id)).length,
	};
}

/** The width of a column that is shown or would be, pixels. */
export function widthOf({ id, width }: Column, widths: Widths): number {
	const set = widths[id];
	return set === undefined || set === 0 ? width : clampWidth(set);
}
