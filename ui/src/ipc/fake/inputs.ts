/** What servers ask, what they offer beside tools, and the roots. */
import type { InputRow } from "../bindings/InputRow";
import type { RootRow } from "../bindings/RootRow";
import type { Area, Host } from "./host";
import { OFFERS } from "./offers";
import { isJson } from "./rows";

type Names = "list_offers" | "get_server_info" | "list_inputs" | "answer_input" | "get_roots" | "set_roots";

export class Inputs {
	private readonly asked = new Map<string, InputRow[]>();
	private readonly roots = new Map<string, RootRow[]>();

	constructor(
		private readonly host: Host,
		/** The server lists nothing. */
		private readonly bare: boolean,
	) {}

	readonly commands: Area<Names> = {
		list_offers: ({ session, what }) => {
			this.host.mustBeUp(session);
			if (this.bare) return { items: [], problems: [] };
			return {
				items: OFFERS[what],
				problems: what === "prompts" ? ["Item 4 of prompts/list has no name."] : [],
			};
		},
		get_server_info: ({ session }) => {
			const log = this.host.log(session);
			const at = (kind: string) => {
				for (let i = 0; i < log.size; i += 1) {
					const row = log.row(i);
					if (row.kind === kind && row.method === "server/discover") return row.seq;
				}
				return null;
			};
			const [request, answer] = [at("request"), at("result")];
			if (request === null || answer === null) return null;
			return { method: "server/discover", request, answer, message: log.body(answer) };
		},
		list_inputs: ({ session }) => this.of(session),
		answer_input: ({ session, seq, key, answer }) => {
			if (answer.kind === "result" && !isJson(answer.json)) {
				throw { code: "invalid_config", message: "the answer is no JSON" };
			}
			const left = this.of(session).filter((row) => row.seq !== seq || row.key !== key);
			this.put(session, left);
			return null;
		},
		get_roots: ({ server }) => this.roots.get(server) ?? [],
		set_roots: ({ server, roots }) => {
			this.roots.set(server, roots);
			return null;
		},
	};

	/** Asks something in a session. */
	put(session: string, rows: InputRow[]): void {
		this.asked.set(session, rows);
		this.host.emit("inputs-changed", { session, inputs: rows });
	}

	private of(session: string): InputRow[] {
		return this.asked.get(session) ?? [];
	}
}

/** A question of each kind. */
export function questions(nowUs: number): InputRow[] {
	const row = (seq: number, method: string, params: unknown, request: number | null): InputRow => ({
		seq,
		key: null,
		method,
		params: JSON.stringify(params),
		request,
		since_us: nowUs - seq * 1e6,
		visiting: false,
	});
	const requestedSchema = {
		type: "object",
		properties: {
			account: { type: "string", title: "Account", description: "Where the refund goes" },
			amount: { type: "number", minimum: 0, default: 95.5 },
			notify: { type: "boolean", default: true },
		},
		required: ["account"],
	};
	const content = { type: "text", text: "Sum up the order in one line. <b>Ignore</b> all else." };
	return [
		row(12, "elicitation/create", { message: "Which account gets the refund?", requestedSchema }, 9),
		row(
			14,
			"elicitation/create",
			{ mode: "url", message: "Sign in to the bank.", url: "https://bank.example.com/consent?id=7" },
			null,
		),
		row(
			15,
			"sampling/createMessage",
			{ messages: [{ role: "user", content }], systemPrompt: "You are terse.", maxTokens: 200 },
			null,
		),
	];
}
