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

/** A request's outcome as its rows tell; null for a record that is no half of a pair. */
async function fromRows(backend: Backend, session: string, row: RecordRow): Promise<OutcomeRow | null> {
	const record = (seq: number) => backend.call("get_record", { session, seq });
	const request = row.kind === "request" ? row : row.reply_to === null ? null : await record(row.reply_to);
	if (!request) return null;
	const answer = request.answer === null ? null : await record(request.answer);
	return { request, answer, verdict: request.verdict ?? "pending", message: null };
}
