/** How the client shows itself to a server, as it is typed: identity and capabilities per era, and rules that answer. */
import type { ClientDraft } from "../ipc/bindings/ClientDraft";
import type { ClientRow } from "../ipc/bindings/ClientRow";
import type { RuleRow } from "../ipc/bindings/RuleRow";
import { isJson } from "./form/edit";
import { pretty } from "./json/pretty";

/** A text that is typed; empty for what this app says by itself. */
export interface Part {
	key: "info" | "legacy" | "modern";
	label: string;
	/** Where the specification tells of it. */
	spec: string;
}

export const PARTS: readonly Part[] = [
	{ key: "info", label: "Client info", spec: "schema › Implementation" },
	{ key: "legacy", label: "Capabilities, legacy era", spec: "initialize › capabilities" },
	{ key: "modern", label: "Capabilities, modern era", spec: "_meta › clientCapabilities" },
];

/** What servers may ask, and rules may answer. */
export const ASKED = ["elicitation/create", "sampling/createMessage", "roots/list"] as const;

/** What is typed at first: what is kept. */
export function draftOfClient({ info, legacy, modern, rules }: ClientRow): ClientDraft {
	return { info, legacy, modern, rules };
}

/** What stands in the field of a part: what is typed, else what this app says by itself, laid out. */
export function shownText(row: ClientRow, draft: ClientDraft, key: Part["key"]): string {
	return draft[key] ?? pretty(row.defaults[key]).text;
}

/** A typed text as it is kept: nothing where it says what this app says by itself. */
export function keptText(row: ClientRow, key: Part["key"], text: string): string | null {
	return text.trim() === "" || text === pretty(row.defaults[key]).text ? null : text;
}

/** Our check of a text: it has to be a JSON object. */
export function problemOf(text: string | null): string | null {
	if (text === null || (isJson(text) && text.trimStart().startsWith("{"))) return null;
	return isJson(text) ? "This is no JSON object." : "This is not JSON.";
}

/** A rule to begin with. */
export function newRule(): RuleRow {
	return { on: true, method: ASKED[0], contains: "", answer: { kind: "defaults" } };
}

/** The answers that a rule may give to a method. */
export function answersTo(method: string): { value: string; label: string; answer: RuleRow["answer"] }[] {
	const result = (label: string, json: string) => ({
		value: label,
		label,
		answer: { kind: "result" as const, json },
	});
	const error = {
		value: "error",
		label: "an error",
		answer: { kind: "error" as const, code: -1, message: "The user rejected it" },
	};
	switch (method) {
		case "elicitation/create":
			return [
				{ value: "defaults", label: "accept with defaults", answer: { kind: "defaults" } },
				result("decline", '{"action":"decline"}'),
				result("cancel", '{"action":"cancel"}'),
				error,
			];
		case "sampling/createMessage":
			return [
				result(
					"a canned message",
					'{"role":"assistant","content":{"type":"text","text":"OK"},"model":"canned","stopReason":"endTurn"}',
				),
				error,
			];
		default:
			return [
				{ value: "defaults", label: "the roots as kept", answer: { kind: "defaults" } },
				result("no roots", '{"roots":[]}'),
				error,
			];
	}
}
