/** The narrow waterfall: where the rows in sight lie on their common stretch of time. */
import type { RecordRow } from "../../ipc/bindings/RecordRow";

/** A stretch of time, microseconds since the epoch. */
export interface Stretch {
	from: number;
	to: number;
}

/** A mark in the column; places in per cent. */
export interface Mark {
	left: number;
	/** 0 for a tick. */
	width: number;
	look: "ok" | "err" | "wait" | "open" | "tick" | "stderr" | "malformed" | "lifecycle";
}

/** The time that the rows span, answers included, and up to `nowUs` where something waits. Null where there are none. */
export function stretch(
	rows: readonly (RecordRow | undefined)[],
	nowUs: number | null = null,
): Stretch | null {
	let from = Number.POSITIVE_INFINITY;
	let to = nowUs ?? Number.NEGATIVE_INFINITY;
	for (const row of rows) {
		if (!row) continue;
		from = Math.min(from, row.at_us);
		to = Math.max(to, row.at_us + (row.kind === "request" ? (row.dur_us ?? 0) : 0));
	}
	return Number.isFinite(from) ? { from, to: Math.max(from, to) } : null;
}

/** The mark of a row: a span for a request, a tick for everything else. */
export function mark(row: RecordRow, { from, to }: Stretch): Mark {
	const scale = 100 / Math.max(1, to - from);
	const left = Math.min(98, (row.at_us - from) * scale);
	if (row.kind !== "request") return { left, width: 0, look: tick(row.kind) };
	const answered = row.dur_us !== null;
	const width = answered ? (row.dur_us ?? 0) * scale : 100 - left;
	return { left, width: Math.max(1.2, Math.min(width, 100 - left)), look: span(row) };
}

function span(row: RecordRow): Mark["look"] {
	switch (row.verdict) {
		case "ok":
			return "ok";
		case "error":
		case "is-error":
			return "err";
		case "timeout":
		case "cancelled":
			return "wait";
		default:
			return "open";
	}
}

function tick(kind: string): Mark["look"] {
	if (kind === "stderr" || kind === "malformed" || kind === "lifecycle") return kind;
	return "tick";
}
