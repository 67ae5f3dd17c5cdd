import { useEffect, useState } from "react";
import type { Backend } from "../../ipc/backend";
import type { OutcomeRow } from "../../ipc/bindings/OutcomeRow";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import type { CallStore } from "../../model/calls";
import type { SessionStore } from "../../model/sessionStore";

/** The outcome to show: of the call that was settled last here, else of the selected request or response. */
export function useOutcome(backend: Backend, calls: CallStore, session: SessionStore): OutcomeRow | null {
	const settled = calls.settled(session.session)?.outcome ?? null;
	const [read, setRead] = useState<OutcomeRow | null>(null);
	const row = session.selected?.row ?? null;
	useEffect(() => {
		if (settled || !row) return;
		let live = true;
		fromRows(backend, session.session, row)
			.then((outcome) => live && outcome && setRead(outcome))
			.catch(() => undefined);
		return () => {
			live = false;
		};
	}, [backend, session, settled, row]);
	return settled ?? read;
}

/** A request's outcome as the log tells; null for a record that is no half of a pair. */
async function fromRows(backend: Backend, session: string, row: RecordRow): Promise<OutcomeRow | null> {
	const record = (seq: number) => backend.call("get_record", { session, seq });
	const request = row.kind === "request" ? row : row.reply_to === null ? null : await record(row.reply_to);
	if (!request) return null;
	// What is settled is told at once, with why there is no answer.
	const verdict = request.verdict ?? "pending";
	if (verdict !== "pending") return backend.call("await_outcome", { session, seq: request.seq });
	return { request, answer: null, verdict, message: null };
}
