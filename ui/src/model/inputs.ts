/** What servers ask and nobody has answered yet, and what is typed in answer to it. */
import type { Backend } from "../ipc/backend";
import type { InputAnswer } from "../ipc/bindings/InputAnswer";
import type { InputRow } from "../ipc/bindings/InputRow";
import { words } from "./errors";
import { FormDraft } from "./form/draft";
import { at, type Json, readJson, text } from "./json/tree";
import { Observable } from "./observable";

/** The code of a refusal that the user made (client/sampling › Error Handling). */
const REJECTED = -1;

/** What is asked, read from a row. */
export type Question =
	| { kind: "form"; message: string; schema: string }
	| { kind: "url"; message: string; url: string }
	| { kind: "sampling"; params: Json | null }
	| { kind: "other" };

/** What is typed in answer to one question. */
export interface Reply {
	/** The fields of a form. */
	form: FormDraft | null;
	/** What the user says in the model's place. */
	text: string;
	/** The result as JSON text, where it is written by hand. */
	raw: string | null;
	/** Why the last answer was not sent. */
	failure: string | null;
	sending: boolean;
}

export class InputStore extends Observable {
	private readonly asked = new Map<string, readonly InputRow[]>();
	private readonly replies = new Map<string, Reply>();

	constructor(private readonly backend: Backend) {
		super();
		void this.backend.listen("inputs-changed", ({ session, inputs }) => this.take(session, inputs));
	}

	/** Reads what is asked in a session that has just come into view. */
	async watch(session: string): Promise<void> {
		const before = this.asked.get(session);
		// In a session that cannot be read nothing is asked.
		const rows = await this.backend.call("list_inputs", { session }).catch(() => NONE);
		// An event that came meanwhile tells more.
		if (this.asked.get(session) === before) this.take(session, rows);
	}

	/** What the server of a session asks, oldest first. */
	of(session: string): readonly InputRow[] {
		return this.asked.get(session) ?? NONE;
	}

	/** The sessions whose servers ask something. */
	sessions(): string[] {
		return [...this.asked].flatMap(([session, rows]) => (rows.length > 0 ? [session] : []));
	}

	reply(session: string, row: InputRow): Reply {
		const id = idOf(session, row);
		const known = this.replies.get(id);
		if (known) return known;
		const question = questionOf(row);
		const form = question.kind === "form" ? new FormDraft(question.schema, DEFAULTS) : null;
		const reply = { form, text: "", raw: null, failure: null, sending: false };
		this.replies.set(id, reply);
		return reply;
	}

	type(session: string, row: InputRow, change: Partial<Reply>): void {
		this.replies.set(idOf(session, row), { ...this.reply(session, row), ...change });
		this.changed();
	}

	/** Opens the address of a question outside of this app and accepts; where it cannot be opened nothing is answered. */
	async visit(session: string, row: InputRow, url: string): Promise<void> {
		try {
			await this.backend.call("open_url", { url });
		} catch (error) {
			this.type(session, row, { failure: words(error) });
			return;
		}
		await this.answer(session, row, elicited("accept"));
	}

	/** Sends an answer; what went wrong stands in the reply. */
	async answer(session: string, row: InputRow, answer: InputAnswer): Promise<void> {
		this.type(session, row, { sending: true, failure: null });
		try {
			await this.backend.call("answer_input", { session, seq: row.seq, key: row.key, answer });
		} catch (error) {
			this.type(session, row, { sending: false, failure: words(error) });
		}
	}

	private take(session: string, rows: readonly InputRow[]): void {
		this.asked.set(session, rows);
		const open = new Set(rows.map((row) => idOf(session, row)));
		for (const id of this.replies.keys()) {
			if (id.startsWith(`${session}/`) && !open.has(id)) this.replies.delete(id);
		}
		this.changed();
	}
}

const NONE: readonly InputRow[] = [];
const DEFAULTS = () => ({ defaults: true });

function idOf(session: string, { seq, key }: InputRow): string {
	return `${session}/${seq}/${key === null ? "" : JSON.stringify(key)}`;
}

/** Names a question in a list. */
export function inputKey({ seq, key }: InputRow): string {
	return `${seq} ${key ?? ""}`;
}

/** What a row asks. An elicitation without a mode is a form (client/elicitation). */
export function questionOf(row: InputRow): Question {
	const params = readJson(row.params ?? "{}");
	if (row.method === "sampling/createMessage") return { kind: "sampling", params };
	if (row.method !== "elicitation/create") return { kind: "other" };
	const message = text(at(params, "message")) ?? "";
	const url = text(at(params, "url"));
	if (text(at(params, "mode")) === "url" && url !== null) return { kind: "url", message, url };
	return { kind: "form", message, schema: at(params, "requestedSchema")?.raw ?? "{}" };
}

/** An address in parts: what tells who would be visited stands out. */
export interface Address {
	before: string;
	host: string;
	after: string;
	/** What is odd about it. */
	warnings: readonly string[];
}

/** Takes an address apart, without changing a character of it (client/elicitation › Safe URL Handling). */
export function addressOf(url: string): Address {
	const [, before = "", host = "", after = ""] =
		/^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)(.*)$/is.exec(url) ?? [];
	if (host === "") return { before: url, host: "", after: "", warnings: ["This is no web address."] };
	const warnings = [
		...(before.toLowerCase() === "https://" ? [] : ["It is not https: others can read along."]),
		...(host.includes("@") ? ["What stands before the @ is not the host."] : []),
		...(/(^|\.|@)xn--/i.test(host) ? ["The host is written in Punycode: it may look like another one."] : []),
		// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
		...(/[^\x00-\x7f]/.test(host)
			? ["The host has letters beyond ASCII: it may look like another one."]
			: []),
	];
	return { before, host, after, warnings };
}

/** The answer to an elicitation. */
export function elicited(
	action: "accept" | "decline" | "cancel",
	content: string | null = null,
): InputAnswer {
	const body = content === null || content.trim() === "" ? "" : `,"content":${content}`;
	return { kind: "result", json: `{"action":"${action}"${body}}` };
}

/** What the user says in the model's place (client/sampling). */
export function sampled(said: string): InputAnswer {
	const content = `{"type":"text","text":${JSON.stringify(said)}}`;
	return {
		kind: "result",
		json: `{"role":"assistant","content":${content},"model":"human","stopReason":"endTurn"}`,
	};
}

/** The user does not want to answer at all. */
export function refused(method: string): InputAnswer {
	return { kind: "error", code: REJECTED, message: `The user rejected ${method}` };
}

/** A result to begin with where it is written by hand. */
export function rawOf(row: InputRow, reply: Reply): string {
	const question = questionOf(row);
	if (question.kind === "form") return asJson(elicited("accept", reply.form?.text ?? "{}"));
	if (question.kind === "url") return asJson(elicited("accept"));
	return question.kind === "sampling" ? asJson(sampled(reply.text)) : "{}";
}

function asJson(answer: InputAnswer): string {
	return answer.kind === "result" ? answer.json : "{}";
}
