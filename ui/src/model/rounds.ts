/**
 * Rounds of a call (2026-07-28 basic/patterns/mrtr): a server answers `input_required`, and the client sends the request again
 * with `inputResponses` and the `requestState` that it was given. The frames name no request before them: which belong together
 * is read from what they say.
 */
import type { RecordRow } from "../ipc/bindings/RecordRow";
import { at, readJson, text } from "./json/tree";

/** A frame as far as rounds need it. */
export interface RoundFrame {
	row: RecordRow;
	/** JSON text of a request's params, or of a result. */
	body: string;
}

/** One request of a call with its answer. */
export interface Round {
	/** From 1. */
	number: number;
	request: number;
	/** Null while it waits. */
	answer: number | null;
	/** `requestState` that the request carries, as its JSON text. */
	sent: string | null;
	/** The answer with the `requestState` that the next round has to carry; null where this one's answer is not interim. */
	asks: { seq: number; state: string | null; keys: readonly string[] } | null;
}

/** A call that took several rounds. */
export interface RoundedCall {
	/** The request that began it. */
	first: number;
	rounds: readonly Round[];
	/** All its frames and notes but the first, rising. */
	members: readonly number[];
}

/** Where a record stands in such a call. */
export interface Place {
	call: RoundedCall;
	round: Round;
}

interface Asked {
	call: { rounds: Round[]; notes: number[] };
	round: Round;
	row: RecordRow;
	what: string;
	state: string | null;
	keys: readonly string[];
}

/**
 * The calls with rounds. `requests` are those that an interim answer answers and those that carry state or responses, `asks`
 * the interim answers, `notes` what this app says of a request, each in the order of the log.
 */
export function roundedCalls(
	requests: readonly RoundFrame[],
	asks: readonly RoundFrame[],
	notes: readonly RecordRow[],
): RoundedCall[] {
	const calls: Asked["call"][] = [];
	const rounds = new Map<number, { call: Asked["call"]; round: Round; what: string }>();
	const open: Asked[] = [];
	const frames = [...requests, ...asks].sort((one, other) => one.row.seq - other.row.seq);
	const asked = new Set(asks.map(({ row }) => row.reply_to));
	for (const { row, body } of frames) {
		const json = readJson(body);
		const state = at(json, "requestState")?.raw ?? null;
		if (row.kind === "request") {
			const what = whatOf(body);
			const before = take(open, row, what, state, keysOf(body, "inputResponses"));
			if (!before && !asked.has(row.seq)) continue;
			const call = before?.call ?? { rounds: [], notes: [] };
			if (!before) calls.push(call);
			const round = {
				number: call.rounds.length + 1,
				request: row.seq,
				answer: row.answer,
				sent: state,
				asks: null,
			};
			call.rounds.push(round);
			rounds.set(row.seq, { call, round, what });
			continue;
		}
		const of = rounds.get(row.reply_to ?? 0);
		if (!of) continue;
		const keys = keysOf(body, "inputRequests");
		of.round.asks = { seq: row.seq, state, keys };
		open.push({ ...of, row, state, keys });
	}
	for (const note of notes) rounds.get(note.about ?? 0)?.call.notes.push(note.seq);
	return calls.map(({ rounds: list, notes: said }) => {
		const [first, ...later] = list.map(({ request }) => request);
		const answers = list.flatMap(({ answer, asks: interim }) => answer ?? interim?.seq ?? []);
		const members = [...new Set([...later, ...answers, ...said])].sort((one, other) => one - other);
		return { first: first ?? 0, rounds: list, members };
	});
}

/** Where each record of the calls stands. A note stands in the round of the request that it is about. */
export function placesOf(calls: readonly RoundedCall[], notes: readonly RecordRow[]): Map<number, Place> {
	const places = new Map<number, Place>();
	for (const call of calls) {
		for (const round of call.rounds) {
			for (const seq of [round.request, round.answer, round.asks?.seq])
				if (seq != null) places.set(seq, { call, round });
		}
	}
	for (const { seq, about } of notes) {
		const place = about === null ? undefined : places.get(about);
		if (place) places.set(seq, place);
	}
	return places;
}

/** The interim answer that a request takes up, taken out of those that still wait for it. */
function take(
	open: Asked[],
	row: RecordRow,
	what: string,
	state: string | null,
	keys: readonly string[],
): Asked | null {
	if (state === null && keys.length === 0) return null;
	const same = open.filter((one) => one.row.method === row.method && one.what === what);
	const fits =
		// Our own log tells which call is gone on with; another one may have been left at the same question.
		same.findLast((one) => row.about !== null && one.call.rounds[0]?.request === row.about) ??
		same.find((one) => one.state === state && keys.every((key) => one.keys.includes(key))) ??
		same.find((one) => one.state === state) ??
		// Somebody tried what a server does with another state.
		same.find((one) => keys.some((key) => one.keys.includes(key)));
	if (!fits) return null;
	open.splice(open.indexOf(fits), 1);
	return fits;
}

/** What is called, whatever it is given with it. */
function whatOf(params: string): string {
	const json = readJson(params);
	return [at(json, "name"), at(json, "uri"), at(json, "arguments")]
		.map((part) => text(part) ?? part?.raw ?? "")
		.join("\n");
}

function keysOf(body: string, member: string): string[] {
	return at(readJson(body), member)?.members.map(({ key }) => key) ?? [];
}

/** Whether the state that a round carries is what its server gave, to the byte; null in a first round. */
export function echoes({ call, round }: Place): boolean | null {
	const before = call.rounds[round.number - 2];
	return before ? round.sent === (before.asks?.state ?? null) : null;
}
