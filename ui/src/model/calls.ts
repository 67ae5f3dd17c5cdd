/** Requests that this page has sent, until they are settled and for as long as they are shown. */
import type { Backend } from "../ipc/backend";
import type { OutcomeRow } from "../ipc/bindings/OutcomeRow";
import { words } from "./errors";
import { Observable } from "./observable";

/** Time-out of a request, milliseconds. */
export const TIMEOUT_MS = 30_000;

/** A request from this page. */
export interface Call {
	session: string;
	seq: number;
	/** JSON-RPC id as written. */
	id: string;
	/** What is called, for the eye: a tool's name. */
	what: string;
	sentAt: number;
	/** When it times out. Milliseconds since the epoch, as `sentAt`. */
	deadline: number;
	/** Missing while it runs. */
	outcome: OutcomeRow | null;
	/** What went wrong on our side with cancelling, extending or reading the outcome. */
	problem: string | null;
}

export class CallStore extends Observable {
	private calls: Call[] = [];

	constructor(
		private readonly backend: Backend,
		private readonly now: () => number = Date.now,
	) {
		super();
	}

	/** Calls that run in a session, oldest first. */
	running(session: string): Call[] {
		return this.calls.filter((call) => call.session === session && !call.outcome);
	}

	/** The call of a session that was settled last. */
	settled(session: string): Call | null {
		return this.calls.findLast((call) => call.session === session && call.outcome) ?? null;
	}

	/** Sends a request; throws where it could not be logged. Settling is told by a change. */
	async send(session: string, what: string, method: string, params: string | null): Promise<Call> {
		const draft = { method, params, timeout_ms: TIMEOUT_MS, headers: [] };
		const { seq, id } = await this.backend.call("send_request", { session, draft });
		const sentAt = this.now();
		const call = {
			session,
			seq,
			id,
			what,
			sentAt,
			deadline: sentAt + TIMEOUT_MS,
			outcome: null,
			problem: null,
		};
		this.calls.push(call);
		this.changed();
		void this.settle(call);
		return call;
	}

	async cancel(call: Call): Promise<void> {
		await this.attempt(call, () =>
			this.backend.call("cancel_request", { session: call.session, seq: call.seq }),
		);
	}

	/** Gives the server more time. */
	async extend(call: Call, ms: number): Promise<void> {
		await this.attempt(call, async () => {
			await this.backend.call("extend_request", { session: call.session, seq: call.seq, ms });
			this.update(call.session, call.seq, (old) => ({ ...old, deadline: old.deadline + ms }));
		});
	}

	private async settle(call: Call): Promise<void> {
		try {
			const outcome = await this.backend.call("await_outcome", { session: call.session, seq: call.seq });
			const old = this.calls.find((other) => other.session === call.session && other.seq === call.seq);
			// The newest outcome is last, and one a session is enough.
			this.calls = this.calls.filter(
				(other) => other !== old && !(other.session === call.session && other.outcome),
			);
			this.calls.push({ ...(old ?? call), outcome, problem: null });
			this.changed();
		} catch (error) {
			this.update(call.session, call.seq, (old) => ({ ...old, problem: words(error) }));
		}
	}

	private async attempt(call: Call, act: () => Promise<unknown>): Promise<void> {
		try {
			await act();
		} catch (error) {
			this.update(call.session, call.seq, (old) => ({ ...old, problem: words(error) }));
		}
	}

	private update(session: string, seq: number, change: (old: Call) => Call): void {
		this.calls = this.calls.map((call) =>
			call.session === session && call.seq === seq ? change(call) : call,
		);
		this.changed();
	}
}
