/** The same call in both eras of a server: what became of it on either side. */
import type { Backend } from "../ipc/backend";
import type { OutcomeRow } from "../ipc/bindings/OutcomeRow";
import type { RequestDraft } from "../ipc/bindings/RequestDraft";
import type { SideRow } from "../ipc/bindings/SideRow";
import { readAll } from "./body";
import { readContent } from "./content";
import { words } from "./errors";
import { Observable } from "./observable";
import { RoundStore } from "./roundStore";

export type Era = "legacy" | "modern";

/** One side of the call. */
export interface Side {
	/** Null while the session is opened, or where none could be. */
	session: string | null;
	/** The request of the newest round. */
	seq: number | null;
	/** Which round that is, from 1. */
	round: number;
	/** Null while it waits. */
	outcome: OutcomeRow | null;
	/** The response as received. */
	answer: string | null;
	/** Why it was not sent, or is not known. */
	problem: string | null;
}

/** A call that was made in both eras. */
export interface BothCall {
	draft: RequestDraft;
	/** The tool, prompt or resource. */
	what: string;
	/** Null while the other session is opened. */
	sides: Record<Era, Side> | null;
	/** Why nothing was sent. */
	failure: string | null;
}

/** Responses up to this size are compared, bytes. */
const MAX_SIZE = 4 * 1024 * 1024;

export class BothEras extends Observable {
	private readonly calls = new Map<string, BothCall>();
	/** What ends the waiting for later rounds, by server. */
	private readonly following = new Map<string, Set<() => void>>();

	constructor(private readonly backend: Backend) {
		super();
	}

	/** The newest of a server's calls in both eras; null where there is none, or it was put away. */
	of(server: string): BothCall | null {
		return this.calls.get(server) ?? null;
	}

	/** Puts the newest call of a server away. */
	close(server: string): void {
		this.leave(server);
		if (this.calls.delete(server)) this.changed();
	}

	/** Sends in a session and in one of the other era; what comes of it is told by changes. */
	async send(server: string, session: string, what: string, draft: RequestDraft): Promise<void> {
		const call: BothCall = { draft, what, sides: null, failure: null };
		this.leave(server);
		this.calls.set(server, call);
		this.changed();
		try {
			const { legacy, modern } = await this.backend.call("call_both_eras", { session, draft });
			call.sides = { legacy: begun(legacy), modern: begun(modern) };
			this.changed();
			await Promise.all([this.settle(server, call, "legacy"), this.settle(server, call, "modern")]);
		} catch (error) {
			call.failure = words(error);
			this.changed();
		}
	}

	/** Cancels the sides that still wait. */
	async cancel(server: string): Promise<void> {
		const sides = Object.values(this.of(server)?.sides ?? {});
		await Promise.all(
			sides.flatMap((side) => {
				const { session, seq } = side;
				if (!waits(side) || session === null || seq === null) return [];
				// One that is answered meanwhile needs no cancelling.
				return this.backend.call("cancel_request", { session, seq }).catch(() => null);
			}),
		);
	}

	private async settle(server: string, call: BothCall, era: Era): Promise<void> {
		const side = call.sides?.[era];
		if (!call.sides || !side || !waits(side) || side.session === null || side.seq === null) return;
		const { session, seq } = side;
		const ended = await this.backend
			.call("await_outcome", { session, seq })
			.then(async (outcome) => ({ outcome, answer: await this.answer(session, outcome) }))
			.catch((error: unknown) => ({ problem: words(error) }));
		const settled = { ...side, ...ended };
		call.sides = { ...call.sides, [era]: settled };
		this.changed();
		if (asksInput(settled) && this.of(server) === call) this.follow(server, call, era, session, seq);
	}

	/** Waits for the round after `seq`, which begins once the user has answered. */
	private follow(server: string, call: BothCall, era: Era, session: string, seq: number): void {
		const rounds = new RoundStore(this.backend, session);
		const look = () => {
			const last = rounds.of(seq)?.call.rounds.at(-1);
			if (!call.sides || !last || last.request <= seq) return;
			end();
			const next = { session, seq: last.request, problem: null };
			call.sides = { ...call.sides, [era]: { ...begun(next), round: last.number } };
			this.changed();
			void this.settle(server, call, era);
		};
		const ends = [rounds.subscribe(look), rounds.start()];
		const end = () => {
			for (const stop of ends) stop();
			this.following.get(server)?.delete(end);
		};
		const open = this.following.get(server) ?? new Set();
		this.following.set(server, open.add(end));
	}

	/** Nothing more of a server's call is waited for. */
	private leave(server: string): void {
		for (const end of [...(this.following.get(server) ?? [])]) end();
	}

	private async answer(session: string, { answer }: OutcomeRow): Promise<string | null> {
		if (!answer) return null;
		if (answer.whole !== null) return answer.whole;
		const { seq } = answer;
		const frame = await this.backend.call("get_frame", { session, seq });
		if (frame.complete) return frame.message ?? frame.text;
		return frame.size > MAX_SIZE ? null : readAll(this.backend, session, seq, frame.size);
	}
}

function begun({ session, seq, problem }: SideRow): Side {
	return { session, seq, round: 1, problem, outcome: null, answer: null };
}

/** Whether an answer is still to come. */
export function waits({ outcome, problem, seq }: Side): boolean {
	return outcome === null && problem === null && seq !== null;
}

/** Whether a server wants input before it answers (2026-07-28 basic/patterns/mrtr). */
export function asksInput({ answer }: Side): boolean {
	return answer !== null && readContent(answer).resultType === "input_required";
}
