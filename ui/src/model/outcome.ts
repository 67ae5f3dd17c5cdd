/** What became of a request, in the five cells of the verdict strip: who is at fault, one cell per layer. */
import type { CheckRow } from "../ipc/bindings/CheckRow";
import type { ExchangeRow } from "../ipc/bindings/ExchangeRow";
import type { OutcomeRow } from "../ipc/bindings/OutcomeRow";
import type { TransportName } from "../ipc/bindings/TransportName";
import { duration } from "./format";

/** A cell. `tone` picks icon and colour; `none` says that the layer was not reached or does not apply. */
export interface Cell {
	layer: string;
	tone: "ok" | "error" | "warning" | "none";
	text: string;
}

/** What our check of a result came to. */
export interface Checked {
	/** The tool has an `outputSchema`. */
	declared: boolean;
	/** The result has `structuredContent`. */
	there: boolean;
	/** What the check says; null while it runs. */
	row: CheckRow | null;
}

/** The cells for an outcome as far as the log tells. `exchange` carried the answer, or the request where none came. */
export function cells(
	outcome: OutcomeRow,
	transport: TransportName,
	exchange: ExchangeRow | null,
	checked: Checked | null = null,
): Cell[] {
	return [
		{ layer: "Transport", ...transportCell(outcome, exchange) },
		{ layer: "HTTP", ...httpCell(transport, exchange) },
		{ layer: "JSON-RPC", ...rpcCell(outcome) },
		{ layer: "Tool isError", ...toolCell(outcome) },
		{ layer: checked?.declared ? "Our check: outputSchema" : "Our check", ...checkCell(outcome, checked) },
	];
}

type Said = Omit<Cell, "layer">;
const NONE: Said = { tone: "none", text: "—" };

function transportCell({ request, answer, verdict }: OutcomeRow, exchange: ExchangeRow | null): Said {
	const late = answer?.flags.includes("late") === true;
	if (answer)
		return late ? { tone: "warning", text: lateBy(request.dur_us) } : { tone: "ok", text: "delivered" };
	switch (verdict) {
		case "timeout":
			return { tone: "error", text: "timed out" };
		case "cancelled":
			return { tone: "warning", text: "cancelled" };
		case "pending":
			return { tone: "none", text: "waiting" };
		default:
			// What came is no answer, but that is no fault of the transport.
			return exchange?.response && !exchange.end?.text
				? { tone: "ok", text: "delivered" }
				: { tone: "error", text: "no answer" };
	}
}

function lateBy(us: number | null): string {
	return us === null ? "late" : `late, ${duration(us)}`;
}

function httpCell(transport: TransportName, exchange: ExchangeRow | null): Said {
	if (transport === "stdio") return { tone: "none", text: "n/a, stdio" };
	if (!exchange) return NONE;
	const status = exchange.response?.status ?? null;
	if (status !== null) return { tone: statusTone(status), text: String(status) };
	return exchange.end ? { tone: "error", text: "no response" } : { tone: "none", text: "waiting" };
}

function checkCell(outcome: OutcomeRow, checked: Checked | null): Said {
	const { answer } = outcome;
	if (!answer || answer.kind === "error" || outcome.request.method !== "tools/call") return NONE;
	if (!checked?.declared) return { tone: "none", text: "no outputSchema" };
	if (!checked.there) {
		// A tool that failed owes no structured content.
		return toolCell(outcome).tone === "error" ? NONE : { tone: "error", text: "nothing structured" };
	}
	if (!checked.row) return { tone: "none", text: "checking" };
	const { problems, unchecked } = checked.row;
	if (problems.length > 0)
		return { tone: "error", text: `${problems.length} mismatch${problems.length === 1 ? "" : "es"}` };
	return unchecked === null ? { tone: "ok", text: "valid" } : { tone: "none", text: "not checked" };
}

/** How a status is meant: an answer, a detour, a refusal. */
export function statusTone(status: number): "ok" | "warning" | "error" {
	if (status >= 400) return "error";
	return status >= 300 ? "warning" : "ok";
}

function rpcCell({ answer }: OutcomeRow): Said {
	if (!answer) return NONE;
	if (answer.kind === "error")
		return { tone: "error", text: answer.code === null ? "error" : String(answer.code) };
	return { tone: "ok", text: "result" };
}

function toolCell({ request, answer, verdict }: OutcomeRow): Said {
	if (!answer || answer.kind === "error" || request.method !== "tools/call") return NONE;
	return verdict === "is-error" || answer.verdict === "is-error"
		? { tone: "error", text: "true" }
		: { tone: "ok", text: "false" };
}
