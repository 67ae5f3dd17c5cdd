/** Whether a request can be sent in a session, and what has to happen before. */
import type { ServerRow } from "../ipc/bindings/ServerRow";
import type { SessionRow } from "../ipc/bindings/SessionRow";
import { type AppStore, isUp } from "./appStore";

/** What the Send button says and does. */
export interface SendState {
	label: string;
	/** A connection has to be made first. */
	connects: boolean;
	/** Why it is disabled. */
	off: string | null;
}

/** What can be done with a request in a session of a server as it stands. */
export function sendState(session: SessionRow | null, server: ServerRow | null): SendState {
	if (!session) return { label: "Send", connects: false, off: "Not connected" };
	if (session.conn.state === "connected" && !session.elsewhere)
		return { label: "Send", connects: false, off: null };
	if (session.conn.state === "connecting" && !session.elsewhere) {
		return { label: "Send", connects: false, off: `Connecting: ${session.conn.step}` };
	}
	if (!server) {
		const why = session.elsewhere ? "It belongs to another process" : "Its server is no longer listed";
		return { label: "Send", connects: false, off: `${why}: this session can only be read` };
	}
	if (server.session && isUp(server.session)) {
		return { label: "Send", connects: false, off: "A past session: show the live one to send" };
	}
	const crashed = session.conn.state === "closed" && session.conn.crashed;
	return { label: crashed ? "Restart and send" : "Connect and send", connects: true, off: null };
}

/** The session that a request goes to, after connecting where that is needed; null where it did not come so far. */
export async function sessionToSend(app: AppStore, row: SessionRow, send: SendState): Promise<string | null> {
	if (!send.connects) return row.id;
	return row.server_id === null ? null : app.connectAndWait(row.server_id);
}
