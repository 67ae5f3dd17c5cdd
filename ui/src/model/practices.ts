/** Notes on lists: what is allowed, and what people who write servers would rather know. */
import type { Callable } from "./callable";
import { isJson } from "./form/edit";
import { plural } from "./format";
import { at, type Json, readJson } from "./json/tree";

/** A note, and the item that it is about; empty where it is about the list. */
export interface Note {
	name: string;
	text: string;
}

/** server/tools › Tool Names: SHOULD, since 2025-11-25. */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** From here on a list is read faster where its names have namespaces. */
const MANY = 20;
const NAMESPACE = /[./_-]/;

/** Items that are looked through without a pause: a matter of 20 ms. */
export const SLICE = 500;

/** Looks through a list. */
export function notesOn(calls: readonly Callable[]): Note[] {
	return [...repeated(calls), ...calls.flatMap(notesOnItem), ...namespaces(calls)];
}

/** The same for a long list, with pauses; null where nobody wants it any more. */
export async function notesInSlices(
	calls: readonly Callable[],
	pause: () => Promise<void>,
	isOver: () => boolean,
): Promise<Note[] | null> {
	const notes: Note[] = [];
	for (let from = 0; from < calls.length; from += SLICE) {
		await pause();
		if (isOver()) return null;
		notes.push(...calls.slice(from, from + SLICE).flatMap(notesOnItem));
	}
	return [...repeated(calls), ...notes, ...namespaces(calls)];
}

function notesOnItem(call: Callable): Note[] {
	if (call.list === null) return [];
	const tool = call.method === "tools/call";
	const say = (text: string) => ({ name: call.name, text });
	return [
		...(tool && !NAME.test(call.name)
			? [say("the name should be 1 to 128 of A–Z a–z 0–9 _ - . (server/tools › Tool Names)")]
			: []),
		...(call.method !== "resources/read" && (call.description ?? "").trim() === ""
			? [say("has no description: a model or user has to guess")]
			: []),
		...fields(call).map(say),
	];
}

/** What is to be said about the fields of an item. */
function fields({ schema, method }: Callable): string[] {
	if (schema === null || method === "resources/read" || !isJson(schema)) return [];
	const members = at(readJson(schema), "properties")?.members ?? [];
	const bare = members.filter(({ value }) => !at(value, "description") && !at(value, "$ref"));
	const odd = members.filter(({ value }) => !fits(value));
	return [
		...(bare.length > 0
			? [`${bare.length} of ${plural(members.length, "argument")} without a description`]
			: []),
		...odd.map(({ key }) => `the default of ${key} is not of its type`),
	];
}

/** Whether a default is of the type that stands beside it. */
function fits(property: Json): boolean {
	const value = at(property, "default");
	const type = at(property, "type")?.raw;
	if (!value || type === undefined) return true;
	const raw = value.raw.trim();
	const own = raw === "null" ? "null" : raw === "true" || raw === "false" ? "boolean" : value.kind;
	const also = own === "number" && Number.isInteger(Number(raw)) ? "integer" : own;
	return type.includes(`"${own}"`) || type.includes(`"${also}"`);
}

/** Names that stand more than once. */
function repeated(calls: readonly Callable[]): Note[] {
	const counts = new Map<string, number>();
	for (const { name, list } of calls) {
		if (list !== null && list !== "resources/list") counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return [...counts]
		.filter(([, n]) => n > 1)
		.map(([name, n]) => ({ name, text: `stands ${n} times: a client cannot tell them apart` }));
}

function namespaces(calls: readonly Callable[]): Note[] {
	const tools = calls.filter(({ method }) => method === "tools/call");
	if (tools.length < MANY || tools.some(({ name }) => NAMESPACE.test(name))) return [];
	return [{ name: "", text: `none of ${tools.length} names has a namespace` }];
}
