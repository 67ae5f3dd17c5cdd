/** Resources, templates and prompts of servers: kept while the window is open, also after a connection has ended. */
import type { Backend } from "../ipc/backend";
import type { OfferKind } from "../ipc/bindings/OfferKind";
import type { OfferRow } from "../ipc/bindings/OfferRow";
import { words } from "./errors";
import { Observable } from "./observable";

/** A list as it was read last. */
export interface OfferList {
	/** The session that it was read in; null before the first time. */
	session: string | null;
	items: readonly OfferRow[];
	/** What is wrong with the list. */
	problems: readonly string[];
	/** Why it could not be read. */
	failure: string | null;
	loading: boolean;
}

/** The methods that read the lists. */
export const LIST_METHODS: Record<OfferKind, string> = {
	resources: "resources/list",
	templates: "resources/templates/list",
	prompts: "prompts/list",
};

export class OfferStore extends Observable {
	private readonly lists = new Map<string, OfferList>();
	private turn = 0;
	private readonly turns = new Map<string, number>();

	constructor(private readonly backend: Backend) {
		super();
		void this.backend.listen("lists-changed", ({ session }) => this.again(session));
	}

	/** A server's list as far as it is known. */
	of(server: string, what: OfferKind): OfferList {
		return this.lists.get(`${what} ${server}`) ?? UNREAD;
	}

	/** Asks the server where this session has not asked yet and is not about to. */
	async ensure(server: string, session: string, what: OfferKind): Promise<void> {
		const list = this.of(server, what);
		if (!list.loading && list.session !== session) await this.read(server, session, what);
	}

	/** Asks the server. What is known stays until the answer is here; of two answers the later question's counts. */
	async read(server: string, session: string, what: OfferKind): Promise<void> {
		const key = `${what} ${server}`;
		this.turn += 1;
		const { turn } = this;
		this.turns.set(key, turn);
		this.put(key, { ...this.of(server, what), loading: true });
		const list = await this.backend
			.call("list_offers", { session, what })
			.then((row): OfferList => ({ ...row, session, failure: null, loading: false }))
			.catch(
				(error: unknown): OfferList => ({
					...this.of(server, what),
					session,
					failure: words(error),
					loading: false,
				}),
			);
		if (this.turns.get(key) === turn) this.put(key, list);
	}

	/** Reads what is known of a session again: its server said that a list has changed. */
	private again(session: string): void {
		for (const [key, list] of [...this.lists]) {
			if (list.session !== session) continue;
			const [what = "", server = ""] = key.split(/ (.*)/s);
			void this.read(server, session, what as OfferKind);
		}
	}

	private put(key: string, list: OfferList): void {
		this.lists.set(key, list);
		this.changed();
	}
}

const UNREAD: OfferList = { session: null, items: [], problems: [], failure: null, loading: false };
