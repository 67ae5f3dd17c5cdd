/** A request that the page makes on its own behalf: logged like any other, and its answer read back. */
import type { Backend } from "../ipc/backend";
import { type RpcError, readContent } from "./content";
import { sentence } from "./errors";
import { at, type Json, readJson } from "./json/tree";

/** What came of it. */
export interface Asked {
	/** The record of the request. */
	seq: number;
	/** Until the answer, microseconds; null where none came. */
	us: number | null;
	result: Json | null;
	error: RpcError | null;
	/** Why there is no answer, in words. */
	failure: string | null;
}

/** Sends a request and waits for its answer; throws where it could not be sent. */
export async function ask(
	backend: Backend,
	session: string,
	method: string,
	params: string | null,
): Promise<Asked> {
	const draft = { method, params, timeout_ms: null, headers: [] };
	const { seq } = await backend.call("send_request", { session, draft });
	const outcome = await backend.call("await_outcome", { session, seq });
	const { request, answer } = outcome;
	if (!answer) {
		const failure = sentence(outcome.message ?? "no answer came");
		return { seq, us: null, result: null, error: null, failure };
	}
	const body = answer.whole === null ? await backend.call("get_frame", { session, seq: answer.seq }) : null;
	const message = answer.whole ?? body?.message ?? body?.text ?? "";
	const result = at(readJson(message), "result");
	return { seq, us: request.dur_us, result, error: readContent(message).error, failure: null };
}

/** Why a request came to nothing, party first; null where it has a result. */
export function refusal({ error, failure }: Asked): string | null {
	if (error) return `JSON-RPC error from the server: ${error.code} ${error.message}`;
	return failure;
}
