/** Columns of the table of sessions, in the order of the picture. */
import { clampWidth } from "../../components/ColumnGrip";
import type { SortKey } from "../../model/sessionList";
import type { Widths } from "../../model/settings";

export interface Column {
	key: SortKey;
	label: string;
	/** Numbers stand at the right. */
	right?: boolean;
}

export const COLUMNS: readonly Column[] = [
	{ key: "session", label: "Session" },
	{ key: "origin", label: "Origin" },
	{ key: "revision", label: "Revision" },
	{ key: "started", label: "Started" },
	{ key: "duration", label: "Duration", right: true },
	{ key: "frames", label: "Frames", right: true },
	{ key: "errors", label: "Errors", right: true },
	{ key: "size", label: "Size", right: true },
	{ key: "ended", label: "Ended" },
	{ key: "tags", label: "Tags" },
];

/** Room for the check boxes, pixels. */
const CHECKS = 30;

/** `grid-template-columns` under the widths that the user has set; the sheet has those of the other columns. */
export function templateOf(widths: Widths): string {
	const sizes = COLUMNS.map(({ key }) => {
		const set = widths[key];
		return set === undefined ? `var(--col-${key})` : `${clampWidth(set)}px`;
	});
	// Where every column has a width, the rest stays free.
	return [`${CHECKS}px`, ...sizes].join(" ");
}
