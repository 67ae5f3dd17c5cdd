/**
 * Edits JSON text by splicing the range of one value: spaces, key order, digits and duplicate keys elsewhere stay to
 * the byte. What is put in takes over the spacing of its neighbours.
 */
import { type Json, readJson } from "../json/tree";

/** Steps to a value: a key (of duplicates the last), or the place of an item, or of a member where keys may repeat. */
export type Path = readonly (string | number)[];

/** Text that holds no value yet is an empty object. */
export function base(text: string): string {
	return text.trim() === "" ? "{}" : text;
}

/** Whether `text` is JSON. Only asked; what it says is never taken from here. */
export function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** A string as JSON. */
export function quote(text: string): string {
	return JSON.stringify(text);
}

/** The value at `path`. */
export function find(json: Json | null, path: Path): Json | null {
	let here = json;
	for (const step of path) {
		if (!here) return null;
		here = child(here, step);
	}
	return here;
}

function child(json: Json, step: string | number): Json | null {
	if (typeof step === "string") return json.members.findLast(({ key }) => key === step)?.value ?? null;
	return (json.kind === "object" ? json.members[step]?.value : json.items[step]) ?? null;
}

/** Replaces the value at `path`, or puts it in; a new property goes where `order` has it among the others. */
export function set(text: string, path: Path, raw: string, order: readonly string[] = []): string {
	const whole = base(text);
	const root = readJson(whole);
	const old = find(root, path);
	if (old) return splice(whole, old.from, old.to, raw);
	const step = path.at(-1);
	const parent = find(root, path.slice(0, -1));
	if (!parent || step === undefined) return whole;
	if (parent.kind === "array") return insert(whole, spots(parent), parent.items.length, raw);
	if (typeof step !== "string") return whole;
	const colon = colonOf(whole, parent);
	return insert(whole, spots(parent), placeOf(parent, step, order), `${quote(step)}${colon}${raw}`);
}

/** Takes the value at `path` out, with its key. */
export function remove(text: string, path: Path): string {
	const whole = base(text);
	const parent = find(readJson(whole), path.slice(0, -1));
	const step = path.at(-1);
	if (!parent || step === undefined) return whole;
	const at = typeof step === "number" ? step : parent.members.findLastIndex(({ key }) => key === step);
	const { from, to, all } = spots(parent);
	const [here, before, after] = [all[at], all[at - 1], all[at + 1]];
	if (!here) return whole;
	if (before) return splice(whole, before.to, here.to, "");
	return after ? splice(whole, here.from, after.from, "") : splice(whole, from, to, "");
}

/** Puts an item into the array at `path`. */
export function insertItem(text: string, path: Path, index: number, raw: string): string {
	const whole = base(text);
	const parent = find(readJson(whole), path);
	return parent?.kind === "array" ? insert(whole, spots(parent), index, raw) : whole;
}

/** Adds a member at the end of the object at `path`, also one whose key is there. */
export function addMember(text: string, path: Path, key: string, raw: string): string {
	const whole = base(text);
	const parent = find(readJson(whole), path);
	if (parent?.kind !== "object") return whole;
	return insert(whole, spots(parent), parent.members.length, `${quote(key)}${colonOf(whole, parent)}${raw}`);
}

/** Swaps two items of the array at `path`; the spacing between items stays. */
export function swapItems(text: string, path: Path, one: number, other: number): string {
	const items = find(readJson(text), path)?.items;
	const [first, second] = [items?.[Math.min(one, other)], items?.[Math.max(one, other)]];
	if (!first || !second || first === second) return text;
	return splice(splice(text, second.from, second.to, first.raw), first.from, first.to, second.raw);
}

/** Gives the member at a place of the object at `path` another key. */
export function renameMember(text: string, path: Path, index: number, key: string): string {
	const member = find(readJson(text), path)?.members[index];
	return member ? splice(text, member.keyFrom, member.keyTo, quote(key)) : text;
}

/** Where the parts of a container stand, and its inside. */
interface Spots {
	from: number;
	to: number;
	all: readonly { from: number; to: number }[];
}

function spots(json: Json): Spots {
	const all =
		json.kind === "object"
			? json.members.map(({ keyFrom, value }) => ({ from: keyFrom, to: value.to }))
			: json.items.map(({ from, to }) => ({ from, to }));
	return { from: json.from + 1, to: json.to - 1, all };
}

function insert(text: string, { from, to, all }: Spots, index: number, piece: string): string {
	const [first, second] = all;
	if (!first) return splice(text, from, to, piece);
	const lead = text.slice(from, first.from);
	const comma = second ? text.slice(first.to, second.from) : `,${lead}`;
	const before = all[Math.min(index, all.length) - 1];
	if (!before) return splice(text, first.from, first.from, piece + comma);
	return splice(text, before.to, before.to, comma + piece);
}

function colonOf(text: string, { members }: Json): string {
	const first = members[0];
	return first ? text.slice(first.keyTo, first.value.from) : ":";
}

/** The place among the members at which a new key keeps the order of the schema. */
function placeOf({ members }: Json, name: string, order: readonly string[]): number {
	const mine = order.indexOf(name);
	if (mine < 0) return members.length;
	const before = members.findLastIndex(({ key }) => {
		const theirs = order.indexOf(key);
		return theirs >= 0 && theirs < mine;
	});
	if (before >= 0) return before + 1;
	const after = members.findIndex(({ key }) => order.indexOf(key) > mine);
	return after >= 0 ? after : members.length;
}

function splice(text: string, from: number, to: number, piece: string): string {
	return text.slice(0, from) + piece + text.slice(to);
}
