import { useEffect, useState } from "react";
import { useMaybeStore, useStore } from "../../components/useStore";
import type { Backend } from "../../ipc/backend";
import type { OutcomeRow } from "../../ipc/bindings/OutcomeRow";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import type { CallStore } from "../../model/calls";
import type { SessionStore } from "../../model/sessionStore";

/**
 * The outcome to show: of the request or response that was selected in the timeline since, else of the one that was
 * settled last here, in its last round. Without an answer it is read again as the log grows: a late one may come.
 */
export function useOutcome(backend: Backend, calls: CallStore, session: SessionStore): OutcomeRow | null {
	useStore(calls);
	useStore(session);
	const settled = calls.settled(session.session);
	const [read, setRead] = useState<OutcomeRow | null>(null);
	// What came last wins: a selection after the answer, an answer after the selection.
	const [last, setLast] = useState<"settled" | "selected">("selected");
	const [seen, setSeen] = useState<{ settled: number | null; row: RecordRow | null }>({
		settled: null,
		row: null,
	});
	const row = session.selected?.row ?? null;
	const settledSeq = settled?.request.seq ?? null;
	if (seen.settled !== settledSeq || seen.row?.seq !== row?.seq) {
		if (seen.settled !== settledSeq) setLast("settled");
		else if (row) setLast("selected");
		setSeen({ settled: settledSeq, row });
	}
	const chosen = last === "settled" ? null : row;
	const log = useMaybeStore(session.view)?.logTotal ?? 0;

	useEffect(() => {
		if (!chosen) return;
		let live = true;
		fromRows(backend, session.session, chosen)
			.then((outcome) => live && outcome && setRead(outcome))
			.catch(() => undefined);
		return () => {
			live = false;
		};
	}, [backend, session, chosen]);

	const open = settled !== null && settled.answer === null && settled.verdict !== "unanswered";
	// biome-ignore lint/correctness/useExhaustiveDependencies: a late answer makes the log grow
	useEffect(() => {
		if (open && settledSeq !== null) void calls.reread(session.session, settledSeq);
	}, [calls, session, open, settledSeq, log]);

	// A call that takes another round is settled by that one.
	const rounds = useStore(session.rounds);
	const call = settledSeq === null ? undefined : rounds.of(settledSeq)?.call;
	const newest = call?.rounds.at(-1)?.request;
	useEffect(() => {
		if (newest !== undefined && newest !== settledSeq) void calls.reread(session.session, newest);
	}, [calls, session, newest, settledSeq]);

	return last === "settled" ? settled : (read ?? settled);
}

/** A request's outcome as the log tells; null for a record that is no half of a pair. */
async function fromRows(backend: Backend, session: string, row: RecordRow): Promise<OutcomeRow | null> {
	const record = (seq: number) => backend.call("get_record", { session, seq });
	const request = row.kind === "request" ? row : row.reply_to === null ? null : await record(row.reply_to);
	if (!request) return null;
	// What is settled is told at once, with why there is no answer.
	const verdict = request.verdict ?? "pending";
	if (verdict !== "pending") return backend.call("get_outcome", { session, seq: request.seq });
	return { request, answer: null, verdict, message: null };
}
