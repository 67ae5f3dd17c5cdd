/** Requests that wait, and what became of those that this page has sent. */
import type { Backend } from "../ipc/backend";
import type { OutcomeRow } from "../ipc/bindings/OutcomeRow";
import type { PendingRow } from "../ipc/bindings/PendingRow";
import type { RequestDraft } from "../ipc/bindings/RequestDraft";
import type { SentRow } from "../ipc/bindings/SentRow";
import { words } from "./errors";
import { Observable } from "./observable";

export class CallStore extends Observable {
	private readonly waiting = new Map<string, readonly PendingRow[]>();
	private readonly outcomes = new Map<string, OutcomeRow>();
	private readonly problems = new Map<string, string>();

	constructor(private readonly backend: Backend) {
		super();
		void this.backend.listen("pending-changed", ({ session, pending }) => this.take(session, pending));
	}

	/** Reads what waits in a session that has just come into view. */
	async watch(session: string): Promise<void> {
		const before = this.waiting.get(session);
		// A session that is not connected has nothing that waits.
		const pending = await this.backend.call("list_pending", { session }).catch(() => NONE);
		// An event that came meanwhile tells more.
		if (this.waiting.get(session) === before) this.take(session, pending);
	}

	/** Requests that wait in a session, oldest first. */
	pending(session: string): readonly PendingRow[] {
		return this.waiting.get(session) ?? [];
	}

	/** What became of the request of a session that was settled last. */
	settled(session: string): OutcomeRow | null {
		return this.outcomes.get(session) ?? null;
	}

	/** What went wrong on our side with cancelling or extending a request. */
	problem(session: string, seq: number): string | null {
		return this.problems.get(`${session}/${seq}`) ?? null;
	}

	/** Sends a request; throws where it could not be logged. Settling is told by a change. */
	async send(session: string, draft: RequestDraft): Promise<SentRow> {
		const sent = await this.backend.call("send_request", { session, draft });
		this.changed();
		void this.settle(session, sent.seq);
		return sent;
	}

	/** Sends bytes as typed; what has an id is waited for. */
	async sendRaw(session: string, text: string, headers: [string, string][]): Promise<SentRow> {
		const sent = await this.backend.call("send_raw", { session, text, headers });
		this.changed();
		if (sent.id !== "") void this.settle(session, sent.seq);
		return sent;
	}

	/** Reads an outcome again: a late answer may have come. What was settled meanwhile stays. */
	async reread(session: string, seq: number): Promise<void> {
		const shown = () => this.outcomes.get(session)?.request.seq;
		const before = shown();
		await this.settle(session, seq, () => shown() === before);
	}

	async cancel(session: string, seq: number): Promise<void> {
		await this.attempt(session, seq, () => this.backend.call("cancel_request", { session, seq }));
	}

	/** Gives the server more time. */
	async extend(session: string, seq: number, ms: number): Promise<void> {
		await this.attempt(session, seq, () => this.backend.call("extend_request", { session, seq, ms }));
	}

	private async settle(session: string, seq: number, isWanted = () => true): Promise<void> {
		await this.attempt(session, seq, async () => {
			const outcome = await this.backend.call("await_outcome", { session, seq });
			if (!isWanted()) return;
			const shown = this.outcomes.get(session);
			const again = shown?.request.seq === seq;
			if (again && shown.answer?.seq === outcome.answer?.seq && shown.verdict === outcome.verdict) return;
			this.outcomes.set(session, outcome);
			this.changed();
		});
	}

	private take(session: string, pending: readonly PendingRow[]): void {
		const before = this.waiting.get(session) ?? [];
		this.waiting.set(session, pending);
		this.changed();
		// A call that was sent again has another outcome than the one that was shown meanwhile.
		const shown = this.outcomes.get(session)?.request.seq;
		const among = (calls: readonly PendingRow[]) => calls.some(({ seq }) => seq === shown);
		if (shown !== undefined && among(before) && !among(pending)) void this.reread(session, shown);
	}

	private async attempt(session: string, seq: number, act: () => Promise<unknown>): Promise<void> {
		const key = `${session}/${seq}`;
		try {
			await act();
			this.problems.delete(key);
		} catch (error) {
			this.problems.set(key, words(error));
			this.changed();
		}
	}
}

const NONE: readonly PendingRow[] = [];
