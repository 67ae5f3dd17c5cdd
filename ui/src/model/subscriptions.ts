/** What sessions have subscribed to: resources, and in the modern era lists. */
import type { Backend } from "../ipc/backend";
import type { ListName } from "../ipc/bindings/ListName";
import type { SubscriptionRow } from "../ipc/bindings/SubscriptionRow";
import { words } from "./errors";
import { ago, plural } from "./format";
import { Observable } from "./observable";

export class Subscriptions extends Observable {
	private readonly rows = new Map<string, readonly SubscriptionRow[]>();
	private readonly problems = new Map<string, string>();

	constructor(private readonly backend: Backend) {
		super();
		void this.backend.listen("subscriptions-changed", ({ session, subscriptions }) =>
			this.take(session, subscriptions),
		);
	}

	/** Reads what a session that has just come into view has subscribed to. */
	async watch(session: string): Promise<void> {
		const before = this.rows.get(session);
		// A session that is not connected has nothing.
		const rows = await this.backend.call("list_subscriptions", { session }).catch(() => NONE);
		// An event that came meanwhile tells more.
		if (this.rows.get(session) === before) this.take(session, rows);
	}

	/** The subscriptions of a session, ended ones too, oldest first. */
	of(session: string): readonly SubscriptionRow[] {
		return this.rows.get(session) ?? NONE;
	}

	/** The open subscription to a URI. */
	to(session: string, uri: string): SubscriptionRow | null {
		return this.of(session).find((row) => isOpen(row) && row.uris.includes(uri)) ?? null;
	}

	/** Why the last change failed on our side. */
	problem(session: string): string | null {
		return this.problems.get(session) ?? null;
	}

	async begin(session: string, uris: string[], lists: ListName[]): Promise<void> {
		await this.attempt(session, () => this.backend.call("subscribe", { session, uris, lists }));
	}

	async end(session: string, seq: number): Promise<void> {
		await this.attempt(session, () => this.backend.call("unsubscribe", { session, seq }));
	}

	private take(session: string, rows: readonly SubscriptionRow[]): void {
		this.rows.set(session, rows);
		this.changed();
	}

	private async attempt(session: string, act: () => Promise<unknown>): Promise<void> {
		try {
			await act();
			this.problems.delete(session);
		} catch (error) {
			this.problems.set(session, words(error));
		}
		this.changed();
	}
}

const NONE: readonly SubscriptionRow[] = [];

/** Whether a subscription may still tell something. */
export function isOpen({ state }: SubscriptionRow): boolean {
	return state === "asking" || state === "active";
}

/** What a subscription is about: its URIs, then its lists. */
export function about({ uris, lists }: SubscriptionRow): string[] {
	return [...uris, ...lists.map((list) => `list of ${list}`)];
}

/** What was asked for and is not granted. */
export function withheld(row: SubscriptionRow): string[] {
	const { granted } = row;
	if (!granted) return [];
	const given = [...granted.uris, ...granted.lists.map((list) => `list of ${list}`)];
	return about(row).filter((one) => !given.includes(one));
}

/** How it stands: `12 updates, last 3 s ago`. */
export function standing({ state, message, updates, last_us }: SubscriptionRow, nowUs: number): string {
	const last = last_us === null ? "" : `, last ${ago(last_us, nowUs)}`;
	const told = `${plural(updates, "update")}${last}`;
	if (state === "asking") return "asked, not confirmed yet";
	if (state === "active") return told;
	return `${state}${message === null ? "" : `: ${message}`}${updates > 0 ? ` after ${told}` : ""}`;
}
