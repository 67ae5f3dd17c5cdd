/** Subscriptions, pages, the log level, how the client shows itself, and the checks that talk to a server in two ways. */
import type { ClientDraft } from "../bindings/ClientDraft";
import type { LogLevelName } from "../bindings/LogLevelName";
import type { OfferRow } from "../bindings/OfferRow";
import type { RequestDraft } from "../bindings/RequestDraft";
import type { SideRow } from "../bindings/SideRow";
import type { StatelessRow } from "../bindings/StatelessRow";
import type { SubscriptionRow } from "../bindings/SubscriptionRow";
import type { Area, Host } from "./host";
import { isJson, ScriptLog } from "./rows";
import type { Talk } from "./talk";
import { TOOLS } from "./tools";

type Names =
	| "list_page"
	| "list_subscriptions"
	| "subscribe"
	| "unsubscribe"
	| "get_log_level"
	| "set_log_level"
	| "get_client"
	| "set_client"
	| "call_both_eras"
	| "check_stateless";

/** What comes of comparing a request with the same alone. */
const COMPARED: Record<string, Omit<StatelessRow, "method" | "what">> = {
	"tools/list": { shared: 5, alone: 6, same: false, message: "the answers differ at /tools/0/name" },
	"resources/list": {
		shared: 7,
		alone: null,
		same: null,
		message: "alone: the server exited with code 3 before it answered",
	},
};

const DEFAULTS = {
	info: '{"name":"framescope","title":"Framescope","version":"0.1.0"}',
	legacy: '{"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true},"sampling":{"tools":{}}}',
	modern: '{"elicitation":{"form":{},"url":{}},"roots":{},"sampling":{"tools":{}}}',
};
/** Milliseconds that a connection takes. */
const CONNECTS = 40;
/** Items of a page, and of the whole list. */
const PAGE = 10;
const ITEMS = 24;

export class Clients {
	private readonly subscribed = new Map<string, SubscriptionRow[]>();
	private readonly levels = new Map<string, LogLevelName>();
	private readonly chosen = new Map<string, ClientDraft>();
	private next = 9000;

	constructor(
		private readonly host: Host,
		private readonly talk: Talk,
	) {}

	readonly commands: Area<Names> = {
		list_page: ({ session, what, cursor }) => {
			this.host.mustBeUp(session);
			const from = cursor === null ? 0 : Number(JSON.parse(cursor));
			const all =
				what === "tools"
					? TOOLS.map((tool) => ({ ...item(what, 0), ...tool }))
					: Array.from({ length: ITEMS }, (_, at) => item(what, at + 1));
			const items = all.slice(from, from + PAGE);
			const more = from + PAGE < all.length;
			const request = this.next;
			this.next += 2;
			return {
				items,
				problems: [],
				next: more ? JSON.stringify(String(from + PAGE)) : null,
				request,
				answer: request + 1,
				ttl_ms: 300_000,
				cache_scope: "public",
			};
		},
		list_subscriptions: ({ session }) => this.of(session),
		subscribe: ({ session, uris, lists }) => {
			this.host.mustBeUp(session);
			this.next += 1;
			const row: SubscriptionRow = {
				seq: this.next,
				uris,
				lists,
				granted: { uris, lists },
				state: "active",
				message: null,
				updates: 0,
				last_us: null,
				last_seq: null,
			};
			this.put(session, [...this.of(session), row]);
			return [row];
		},
		unsubscribe: ({ session, seq }) => {
			const rows = this.of(session);
			this.put(
				session,
				rows.map((row) => (row.seq === seq ? { ...row, state: "ended", message: "unsubscribed" } : row)),
			);
			return null;
		},
		get_log_level: ({ session }) => this.levels.get(session) ?? null,
		set_log_level: ({ session, level }) => {
			this.host.mustBeUp(session);
			if (level === null) this.levels.delete(session);
			else this.levels.set(session, level);
			return null;
		},
		get_client: ({ server }) => {
			const chosen = this.chosen.get(server);
			return {
				info: chosen?.info ?? null,
				legacy: chosen?.legacy ?? null,
				modern: chosen?.modern ?? null,
				defaults: DEFAULTS,
				rules: chosen?.rules ?? [],
			};
		},
		set_client: ({ server, draft }) => {
			for (const text of [draft.info, draft.legacy, draft.modern]) {
				if (text !== null && !(isJson(text) && text.trimStart().startsWith("{"))) {
					throw { code: "invalid_config", message: "that is no JSON object" };
				}
			}
			this.chosen.set(server, draft);
			return null;
		},
		call_both_eras: async ({ session, draft }) => {
			this.host.mustBeUp(session);
			const here = { session, seq: this.talk.send(session, draft).seq, problem: null };
			await new Promise((resolve) => setTimeout(resolve, CONNECTS));
			const { era, server_id } = this.host.session(session);
			const there = this.inOtherEra(session, server_id ?? "", draft);
			return era === "legacy" ? { legacy: here, modern: there } : { legacy: there, modern: here };
		},
		check_stateless: ({ session, drafts }) => {
			this.host.mustBeUp(session);
			return drafts.map(({ method, params }) => ({
				method,
				what: /"name":"([^"]*)"/.exec(params ?? "")?.[1] ?? null,
				...(COMPARED[method] ?? { shared: 5, alone: 6, same: true, message: null }),
			}));
		},
	};

	/** Tells the subscriptions of a session. For tests too. */
	put(session: string, rows: SubscriptionRow[]): void {
		this.subscribed.set(session, rows);
		this.host.emit("subscriptions-changed", { session, subscriptions: rows });
	}

	/** Servers whose name says so speak one era alone. */
	private inOtherEra(session: string, server: string, draft: RequestDraft): SideRow {
		if (this.host.server(server).name.startsWith("fs-"))
			return { session: null, seq: null, problem: "the server speaks no revision of the legacy era" };
		const { era } = this.host.session(session);
		const live = [...this.host.sessions.values()].find(
			(row) => row.server_id === server && row.conn.state === "connected" && row.era !== era,
		);
		const other = live ?? this.host.start(server, new ScriptLog(Date.now() * 1000), Date.now() * 1000);
		if (!live) this.host.patch(other.id, era === "legacy" ? {} : { era: "legacy", revision: "2025-11-25" });
		return { session: other.id, seq: this.talk.send(other.id, draft).seq, problem: null };
	}

	private of(session: string): SubscriptionRow[] {
		return this.subscribed.get(session) ?? [];
	}
}

function item(what: string, n: number): OfferRow {
	const name = `${what}-${n}`;
	return {
		name,
		title: `Item ${n}`,
		description: null,
		uri: what === "prompts" || what === "tools" ? "" : `orders://items/${n}`,
		mime_type: null,
		size: null,
		arguments: [],
		raw: JSON.stringify({ name }),
		problem: null,
	};
}
