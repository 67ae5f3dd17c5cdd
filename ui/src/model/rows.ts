/** How a record is worded in the timeline. Facts come with the row; here they only become words. */
import type { RecordRow } from "../ipc/bindings/RecordRow";
import { bytes, clock, duration } from "./format";
import { visible } from "./visible";

/** Kinds whose text spans the columns from Method to Duration. */
const SPANNING = new Set(["stderr", "malformed", "note", "lifecycle"]);

/** Whether a row has no method or id, so that its text may span their columns. */
export function spans(row: RecordRow): boolean {
	return SPANNING.has(row.kind);
}

/** The word of the Kind column. */
export function kindWord(kind: string): string {
	return kind === "notification" ? "notify" : kind;
}

/** The method with the prefix elided that Kind already says. */
export function methodWord(row: RecordRow): string {
	return visible(row.method ?? "").replace(/^notifications\//, "…/");
}

/** Arrow and words of the direction. */
export function direction(row: Pick<RecordRow, "direction" | "kind">): {
	arrow: string;
	words: string;
	className: string;
} {
	if (row.direction === "c2s") return { arrow: "→", words: "client → server", className: "d-c2s" };
	if (row.direction === "s2c") return { arrow: "←", words: "server → client", className: "d-s2c" };
	if (row.kind === "stderr")
		return { arrow: "←", words: "from the server, beside the wire", className: "d-s2c" };
	return { arrow: "·", words: "not on the wire", className: "d-x" };
}

/** Whether a row is a request of ours that waits for its answer. */
export function waits(row: RecordRow): boolean {
	return row.kind === "request" && row.direction === "c2s" && row.verdict === "pending";
}

/** Whether a row is something that this client sent, to be edited and sent again. */
export function canEdit(row: RecordRow): boolean {
	return row.direction === "c2s" && row.kind !== "http";
}

/** The Duration column: time to the answer, or why there is none; of what waits, how long by `nowUs`. Only requests have it. */
export function durationWord(row: RecordRow, nowUs: number | null = null): string {
	if (row.kind !== "request") return "";
	if (nowUs !== null && waits(row)) return duration(Math.max(0, nowUs - row.at_us));
	if (row.verdict === "timeout") return "timed out";
	if (row.verdict === "cancelled") return "cancelled";
	if (row.verdict === "unanswered") return "no reply";
	return row.dur_us === null ? "" : duration(row.dur_us);
}

/** The background a row calls for. */
export function tint(row: RecordRow): "error" | "malformed" | null {
	if (row.kind === "malformed") return "malformed";
	const toolError = row.kind === "result" && row.verdict === "is-error";
	if (row.kind === "error" || toolError || row.flags.includes("crash")) return "error";
	return null;
}

/** The other half of a request or response; for a part of an HTTP exchange, what the exchange carried or began with. */
export function pairOf(row: RecordRow): number | null {
	return row.answer ?? row.reply_to ?? row.about ?? (row.kind === "http" ? row.via : null);
}

/** What a screen reader says for a row, `more` being what the page knows of it beside the record. */
export function rowName(row: RecordRow, more: string | null = null): string {
	const way = { c2s: "client to server", s2c: "server to client" }[row.direction ?? ""];
	const of = row.kind === "result" || row.kind === "error" ? `${row.kind} of ${row.method ?? "?"}` : null;
	const what = of ?? `${kindWord(row.kind)} ${row.method ?? visible(row.summary)}`;
	const id = row.id === null ? null : `id ${row.id}`;
	return [row.seq, clock(row.at_us).slice(0, 8), way, what, id, more, bytes(row.size), ...row.flags]
		.filter((part) => part !== null && part !== undefined)
		.join(", ");
}
