/** Columns of the table of sessions, in the order of the picture. */
import type { SortKey } from "../../model/sessionList";

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
