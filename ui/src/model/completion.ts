/** Completion of arguments: what the server offers for what is typed (server/utilities/completion). */
import type { Backend } from "../ipc/backend";
import { ask, refusal } from "./ask";
import { isJson } from "./form/edit";
import { at, readJson, text } from "./json/tree";

/** What a server offers. */
export interface Completion {
	values: readonly string[];
	/** How many there are, where the server says so. */
	total: number | null;
	/** There are more than these. */
	more: boolean;
	/** Why there are none. */
	failure: string | null;
}

/** Asks a server for completions, for each question once. */
export class Completer {
	private readonly known = new Map<string, Promise<Completion>>();

	constructor(
		private readonly backend: Backend,
		private readonly session: string,
	) {}

	/**
	 * What the server offers for an argument of `ref`, a reference as JSON text. `filled` is all that is filled in, as
	 * JSON text: the other arguments are told as context.
	 */
	complete(ref: string, name: string, value: string, filled: string): Promise<Completion> {
		const params = completionParams(ref, name, value, filled);
		const known = this.known.get(params);
		if (known) return known;
		const asked = this.ask(params);
		this.known.set(params, asked);
		// A failure may pass.
		void asked.then(({ failure }) => failure !== null && this.known.delete(params));
		return asked;
	}

	private async ask(params: string): Promise<Completion> {
		try {
			const asked = await ask(this.backend, this.session, "completion/complete", params);
			const failure = refusal(asked);
			if (failure !== null) return { ...NOTHING, failure };
			const completion = at(asked.result, "completion");
			return {
				values: at(completion, "values")?.items.map((value) => text(value) ?? value.raw) ?? [],
				total: Number(at(completion, "total")?.raw ?? Number.NaN) || null,
				more: at(completion, "hasMore")?.raw === "true",
				failure: null,
			};
		} catch {
			// What cannot be sent is said where it matters: at the button that sends the request itself.
			return NOTHING;
		}
	}
}

const NOTHING: Completion = { values: [], total: null, more: false, failure: null };

/** The params of `completion/complete`. Context holds strings alone, and never the argument itself. */
export function completionParams(ref: string, name: string, value: string, filled: string): string {
	const others = (isJson(filled) ? (readJson(filled)?.members ?? []) : [])
		.filter(({ key, value: other }) => key !== name && text(other) !== null)
		.map(({ key, value: other }) => `${JSON.stringify(key)}:${other.raw}`);
	const argument = `{"name":${JSON.stringify(name)},"value":${JSON.stringify(value)}}`;
	const context = others.length === 0 ? "" : `,"context":{"arguments":{${others.join(",")}}}`;
	return `{"ref":${ref},"argument":${argument}${context}}`;
}
