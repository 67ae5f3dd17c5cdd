/**
 * Reads a JSON Schema as the list of schemas that hold for one place: a schema, what its `$ref` points to, and the
 * branches of its `allOf`. A keyword is taken from the first that has it, so that what stands beside a `$ref` wins.
 * Nothing is copied or inlined: the server's text stays as it is.
 */
import { atPointer } from "../json/pointer";
import { at, type Json, text } from "../json/tree";

/** The keywords of one schema. */
export type Part = ReadonlyMap<string, Json>;

/** The schemas that hold for one place. */
export interface Parts {
	list: readonly Part[];
	/** Why the form cannot draw this place. */
	trouble: string | null;
}

/** Steps that one place may take through `$ref` and `allOf`. */
const MAX_PARTS = 200;

/** What holds where all of `schemas` do. `root` is the document that local references point into. */
export function expand(schemas: readonly Json[], root: Json): Parts {
	const list: Part[] = [];
	const seen = new Set<Json>();
	let trouble: string | null = null;
	const add = (schema: Json): void => {
		if (schema.kind !== "object") {
			if (schema.raw !== "true")
				trouble ??= schema.raw === "false" ? "the schema allows no value" : "the schema is none";
			return;
		}
		if (seen.has(schema)) return;
		if (seen.size >= MAX_PARTS) {
			trouble ??= "the schema refers too far";
			return;
		}
		seen.add(schema);
		const part = keywords(schema);
		list.push(part);
		const ref = part.get("$ref");
		if (ref) {
			const target = resolve(text(ref), root);
			if (target) add(target);
			else trouble ??= `$ref ${ref.raw} leads to nothing in this schema`;
		}
		if (part.has("$dynamicRef")) trouble ??= "$dynamicRef";
		for (const branch of part.get("allOf")?.items ?? []) add(branch);
	};
	for (const schema of schemas) add(schema);
	return { list, trouble };
}

/** The keywords of a schema object, of duplicates the last. */
export function keywords(schema: Json): Part {
	return new Map(schema.members.map(({ key, value }) => [key, value]));
}

/** A keyword's value, from the first schema that has it. */
export function get({ list }: Parts, keyword: string): Json | null {
	for (const part of list) {
		const found = part.get(keyword);
		if (found) return found;
	}
	return null;
}

/** The same parts without a keyword. */
export function without(parts: Parts, keyword: string): Parts {
	const list = parts.list.map((part) => {
		if (!part.has(keyword)) return part;
		const rest = new Map(part);
		rest.delete(keyword);
		return rest;
	});
	return { ...parts, list };
}

/** Both, `first` wins. */
export function both(first: Parts, second: Parts): Parts {
	return { list: [...first.list, ...second.list], trouble: first.trouble ?? second.trouble };
}

/** The schemas of each property, in the order in which they are first written. */
export function properties({ list }: Parts): Map<string, Json[]> {
	const found = new Map<string, Json[]>();
	const take = (object: Json | null | undefined): void => {
		for (const { key, value } of object?.members ?? []) {
			const schemas = found.get(key);
			if (schemas) schemas.push(value);
			else found.set(key, [value]);
		}
	};
	for (const part of list) take(part.get("properties"));
	// What a condition adds can be filled in as well; whether it has to be is for the check.
	for (const part of list) {
		for (const keyword of ["then", "else"]) {
			for (const { key, value } of at(part.get(keyword), "properties")?.members ?? []) {
				if (!found.has(key)) found.set(key, [value]);
			}
		}
	}
	return found;
}

/** The names that all of `required` list, in order. */
export function required({ list }: Parts): string[] {
	const names = list.flatMap((part) => part.get("required")?.items.map(text) ?? []);
	return [...new Set(names.filter((name) => name !== null))];
}

/** Follows a reference inside the schema: `#`, `#/…`, `#anchor`; null for any other. */
function resolve(ref: string | null, root: Json): Json | null {
	if (ref === "#") return root;
	if (!ref?.startsWith("#")) return null;
	if (!ref.startsWith("#/")) return anchor(ref.slice(1), root);
	return atPointer(root, decode(ref.slice(1)));
}

function anchor(name: string, root: Json): Json | null {
	for (const group of ["$defs", "definitions"]) {
		for (const { value } of at(root, group)?.members ?? []) {
			if (text(at(value, "$anchor")) === name || text(at(value, "$id")) === `#${name}`) return value;
		}
	}
	return null;
}

function decode(pointer: string): string {
	try {
		return decodeURIComponent(pointer);
	} catch {
		return pointer;
	}
}
