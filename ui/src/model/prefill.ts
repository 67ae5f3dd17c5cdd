/** The arguments that a tool's JSON pane starts with: required properties alone, declared values as written. */
import { at, type Json, readJson, text } from "./json/tree";

const INDENT = "  ";
/** A schema may refer to itself; deeper than this a required object starts empty. */
const MAX_DEPTH = 6;

/** Arguments for an input schema given as JSON text. */
export function prefill(schema: string | null): string {
	const root = schema === null ? null : readJson(schema);
	return root?.kind === "object" ? object(root, root, 0) : "{}";
}

function object(schema: Json, root: Json, depth: number): string {
	const names = at(schema, "required")?.items.map(text) ?? [];
	const lines = names
		.filter((name) => name !== null)
		.map((name) => {
			const property = at(schema, "properties", name);
			return `${INDENT.repeat(depth + 1)}${JSON.stringify(name)}: ${value(property, root, depth + 1)}`;
		});
	return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n${INDENT.repeat(depth)}}`;
}

function value(schema: Json | null, root: Json, depth: number): string {
	if (schema === null || depth > MAX_DEPTH) return "null";
	const declared = at(schema, "const") ?? at(schema, "default") ?? at(schema, "enum", 0);
	if (declared) return declared.raw;
	const target = resolve(text(at(schema, "$ref")), root);
	if (target) return value(target, root, depth + 1);
	const variant = at(schema, "oneOf", 0) ?? at(schema, "anyOf", 0);
	if (variant && !at(schema, "type")) return value(variant, root, depth + 1);
	return empty(schema, root, depth);
}

function empty(schema: Json, root: Json, depth: number): string {
	const type = text(at(schema, "type")) ?? text(at(schema, "type", 0));
	switch (type) {
		case "string":
			return '""';
		case "integer":
		case "number":
			return at(schema, "minimum")?.raw ?? "0";
		case "boolean":
			return "false";
		case "array":
			return "[]";
		case "object":
			return object(schema, root, depth);
		default:
			return at(schema, "properties") ? object(schema, root, depth) : "null";
	}
}

/** Follows a reference inside the schema; others are not followed. */
function resolve(ref: string | null, root: Json): Json | null {
	if (!ref?.startsWith("#/")) return null;
	const path = ref
		.slice(2)
		.split("/")
		.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
	return at(root, ...path);
}
