/** Where a connection stands, in words and shapes. */
import type { ConnState } from "../ipc/bindings/ConnState";
import type { SessionRow } from "../ipc/bindings/SessionRow";
import { needsSignIn } from "./auth";
import { ago, lasting } from "./format";

/** Shape of the dot beside a server. */
export type Dot = "live" | "idle" | "busy" | "exit" | "warn";

/** The dot of a server whose newest session is `row`. */
export function dotOf(row: SessionRow | null): Dot {
	switch (row?.conn.state) {
		case "connected":
			return "live";
		case "connecting":
			return "busy";
		case "failed":
			return needsSignIn(row.conn) ? "warn" : "exit";
		case "closed":
			return row.conn.crashed ? "exit" : "idle";
		case "not-recording":
			return "exit";
		default:
			return "idle";
	}
}

/** The state in words, and since when. */
export function stateWords(conn: ConnState, nowUs: number): { text: string; detail: string; tone: string } {
	switch (conn.state) {
		case "idle":
			return { text: "Not started", detail: "", tone: "sub" };
		case "connecting":
			return { text: "Connecting", detail: conn.step, tone: "sub" };
		case "connected":
			return { text: "Connected", detail: lasting(nowUs - conn.since_us), tone: "sev-ok" };
		case "failed":
			return needsSignIn(conn)
				? { text: "Needs sign-in", detail: "", tone: "sev-warning" }
				: { text: "Failed", detail: "", tone: "sev-error" };
		case "closed": {
			const tone = conn.crashed ? "sev-error" : "sub";
			return { text: endWords(conn.outcome), detail: ago(conn.at_us, nowUs), tone };
		}
		case "not-recording":
			return { text: "Not recording", detail: "", tone: "sev-error" };
	}
}

/** `exit 3` → `Exited, code 3`; a signal → `Ended by SIGKILL`. */
function endWords(outcome: string): string {
	const code = /^exit (\d+)$/.exec(outcome)?.[1];
	if (code !== undefined) return `Exited, code ${code}`;
	return outcome.startsWith("SIG")
		? `Ended by ${outcome}`
		: outcome.charAt(0).toUpperCase() + outcome.slice(1);
}
