/**
 * What a place of the arguments may be, as the form draws it. A shape is read from the schema when it is asked for, so
 * a schema that refers to itself costs nothing until somebody opens that part.
 */
import { at, type Json, readJson, text } from "../json/tree";
import { arrayShape } from "./arrays";
import { objectShape } from "./objects";
import { both, expand, get, type Parts, without } from "./schema";
import { unionOf } from "./unions";

/**
 * How a place is drawn. `list` holds scalars, `multi` a choice of some options, `rows` anything else in a row;
 * `variants` is one of several shapes; `json` is a text field for what the form has no better control for.
 */
export type Kind =
	| "string"
	| "number"
	| "integer"
	| "boolean"
	| "null"
	| "enum"
	| "const"
	| "multi"
	| "list"
	| "rows"
	| "object"
	| "map"
	| "variants"
	| "json";

/** A value that may be chosen. */
export interface Option {
	/** The value as the schema writes it. */
	raw: string;
	label: string;
}

/** One of several shapes. */
export interface Variant {
	label: string;
	shape: () => Shape;
}

/** A property of an object. */
export interface Property {
	name: string;
	required: boolean;
	shape: Shape;
}

/** A place of the arguments. */
export interface Shape {
	kind: Kind;
	/** The schemas that it was read from. */
	parts: Parts;
	/** The schema allows null beside the rest. */
	nullable: boolean;
	title: string | null;
	description: string | null;
	/** As written. */
	default: string | null;
	/** As written. */
	examples: readonly string[];
	/** `date`, `uri`: a hint, never a limit. */
	format: string | null;
	/** Of `enum`, and of the items of `multi`. */
	options: readonly Option[];
	/** The value of `const`. */
	fixed: string | null;
	/** Items of `list`, `multi` and `rows`, values of `map`. */
	item: (() => Shape) | null;
	/** Of `object`; declared properties alone. */
	properties: () => readonly Property[];
	/** What the schema says about properties of an `object` that it does not name. */
	rest: (() => Shape) | null;
	variants: readonly Variant[];
	/** The keyword that makes variants: `oneOf`, `anyOf`, `type`. */
	union: string | null;
	/** Why it is `json`. */
	why: string | null;
	/** Rules of this place that the check knows and the form does not draw. */
	rules: readonly string[];
}

/** Where shapes are read: the document that references point into, and how deep in one place. */
export interface Context {
	root: Json;
	/** Unions and arrays that were taken off to get here, without a name between them. */
	depth: number;
}

/** A place may be wrapped this often in unions and arrays of arrays; a schema that goes on refers to itself. */
const MAX_DEPTH = 8;

/** Keywords about the whole of a union, not about each of its variants. */
const ABOUT = ["default", "title", "description", "examples", "example"];

/** The shape of the schemas that hold for one place. */
export function shapeOf(schemas: readonly Json[], root: Json): Shape {
	return read(expand(schemas, root), { root, depth: 0 });
}

/** The shape of parts that were put together already. */
export function read(parts: Parts, context: Context): Shape {
	const base = blank(parts);
	if (parts.trouble !== null) return { ...base, why: parts.trouble };
	if (context.depth > MAX_DEPTH) return { ...base, why: "the schema refers to itself" };
	const fixed = get(parts, "const");
	if (fixed) return { ...base, kind: "const", fixed: fixed.raw };
	const union = unionOf(parts, context.root);
	const inner: Context = { ...context, depth: context.depth + 1 };
	switch (union.is) {
		case "none":
			return typed(union.parts, { ...base, rules: union.rules }, inner);
		case "null":
			return { ...base, kind: "null" };
		case "options":
			return { ...base, kind: "enum", options: union.options, nullable: union.nullable };
		case "one": {
			const shape = read(both(union.parts, union.only), inner);
			return { ...shape, parts, nullable: shape.nullable || union.nullable };
		}
		case "many": {
			const common = ABOUT.reduce(without, union.parts);
			return {
				...base,
				kind: "variants",
				union: union.keyword,
				nullable: union.nullable || base.nullable,
				variants: union.branches.map(({ label, parts: branch }) => ({
					label,
					shape: once(() => read(both(branch, common), inner)),
				})),
			};
		}
	}
}

function blank(parts: Parts): Shape {
	const example = get(parts, "example");
	return {
		kind: "json",
		parts,
		nullable: get(parts, "nullable")?.raw === "true",
		title: text(get(parts, "title")),
		description: text(get(parts, "description")),
		default: get(parts, "default")?.raw ?? null,
		examples: [...(get(parts, "examples")?.items ?? []), ...(example ? [example] : [])].map(({ raw }) => raw),
		format: text(get(parts, "format")),
		options: [],
		fixed: null,
		item: null,
		properties: () => [],
		rest: null,
		variants: [],
		union: null,
		why: null,
		rules: [],
	};
}

/** By `enum` and `type`. */
function typed(parts: Parts, base: Shape, context: Context): Shape {
	const types = typesOf(parts);
	const nullable = base.nullable || types.includes("null");
	const others = types.filter((type) => type !== "null" && !(type === "integer" && types.includes("number")));
	const values = get(parts, "enum");
	if (values?.kind === "array" && values.items.length > 0) {
		return { ...base, kind: "enum", nullable, options: enumOptions(parts, values, nullable) };
	}
	const type = others[0];
	if (type === undefined) return nullable ? { ...base, kind: "null", nullable: false } : base;
	if (others.length === 1) return { ...ofType(type, parts, base, context), nullable };
	const common = ABOUT.reduce(without, parts);
	const variants = others.map((other) => ({
		label: other,
		shape: once(() => read(withType(common, other), context)),
	}));
	return { ...base, kind: "variants", union: "type", nullable, variants };
}

function ofType(type: string, parts: Parts, base: Shape, context: Context): Shape {
	switch (type) {
		case "string":
		case "number":
		case "integer":
		case "boolean":
			return { ...base, kind: type };
		case "array":
			return arrayShape(parts, base, context);
		case "object":
			return objectShape(parts, base, context);
		default:
			return { ...base, why: `type ${type} is none of JSON Schema's` };
	}
}

/** What `type` says, or what the other keywords are about. */
export function typesOf(parts: Parts): string[] {
	const type = get(parts, "type");
	if (type) {
		const names = type.kind === "array" ? type.items.map(text) : [text(type)];
		return names.filter((name) => name !== null);
	}
	const has = (...keywords: string[]) => keywords.some((keyword) => get(parts, keyword) !== null);
	if (has("properties", "additionalProperties", "patternProperties", "required")) return ["object"];
	if (has("items", "prefixItems", "minItems", "maxItems")) return ["array"];
	if (has("minLength", "maxLength", "pattern", "format")) return ["string"];
	if (has("minimum", "maximum", "multipleOf")) return ["number"];
	return [];
}

function withType(parts: Parts, type: string): Parts {
	const json = readJson(JSON.stringify(type));
	return json ? { ...parts, list: [new Map([["type", json]]), ...parts.list] } : parts;
}

function enumOptions(parts: Parts, values: Json, nullable: boolean): Option[] {
	const names = get(parts, "enumNames") ?? get(parts, "x-enumNames");
	const mixed = values.items.some((value) => value.kind !== "string");
	return values.items
		.map((value, i) => ({
			raw: value.raw,
			// Where 1 and "1" may both be meant, a string shows its quotes.
			label: text(at(names, i)) ?? (mixed ? value.raw : (text(value) ?? value.raw)),
		}))
		.filter(({ raw }) => !(nullable && raw === "null"));
}

/** Asked once, kept. */
export function once<T>(make: () => T): () => T {
	let made: { value: T } | null = null;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}
