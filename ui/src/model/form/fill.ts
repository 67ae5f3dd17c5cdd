/** What a place starts with. Values that the schema declares are taken as written, also wrongly typed ones. */
import { get } from "./schema";
import type { Property, Shape } from "./shape";

/** Required objects inside each other; a schema that requires itself ends here. */
const MAX_DEPTH = 6;

/** Rows that a `minItems` may ask for at the start. */
const MAX_ROWS = 3;

/** What is filled in before anybody has typed. */
export interface FillOptions {
	/** Optional properties start with their default, too. */
	defaults: boolean;
}

/** The text that the arguments start with. */
export function initialText(root: Shape | null, options: FillOptions): string {
	return (root && startOf(root, options, 0)) ?? "{}";
}

/** What a required place starts with; null where that is for the user to say. */
export function startOf(shape: Shape, options: FillOptions, depth = 0): string | null {
	if (shape.fixed !== null) return shape.fixed;
	if (shape.default !== null) return shape.default;
	switch (shape.kind) {
		case "null":
			return "null";
		case "object":
			return objectStart(shape, options, depth);
		case "map":
			return "{}";
		case "list":
		case "multi":
			return "[]";
		case "rows":
			return rowsStart(shape, options, depth);
		case "enum":
			return shape.options.length === 1 ? (shape.options[0]?.raw ?? null) : null;
		case "variants": {
			const first = shape.variants[0];
			const start = first && depth < MAX_DEPTH ? startOf(first.shape(), options, depth + 1) : null;
			return start?.startsWith("{") ? start : null;
		}
		default:
			return null;
	}
}

/** What a place gets when somebody asks for a value there. */
export function valueFor(shape: Shape, options: FillOptions): string {
	const start = startOf(shape, options);
	if (start !== null) return start;
	switch (shape.kind) {
		case "string":
			return '""';
		case "number":
		case "integer":
			return get(shape.parts, "minimum")?.raw ?? "0";
		case "boolean":
			return "false";
		case "enum":
			return shape.options[0]?.raw ?? "null";
		case "variants": {
			const first = shape.variants[0];
			return first ? valueFor(first.shape(), options) : "null";
		}
		case "json":
			return jsonStart(shape);
		default:
			return "null";
	}
}

function jsonStart(shape: Shape): string {
	const type = get(shape.parts, "type")?.raw ?? "";
	if (type.includes('"object"') || shape.why === "patternProperties") return "{}";
	return type.includes('"array"') || shape.why === "prefixItems" ? "[]" : "null";
}

function objectStart(shape: Shape, options: FillOptions, depth: number): string {
	if (depth >= MAX_DEPTH) return "{}";
	const members = shape
		.properties()
		.map((property) => ({ name: property.name, raw: propertyStart(property, options, depth) }))
		.filter(({ raw }) => raw !== null);
	return `{${members.map(({ name, raw }) => `${JSON.stringify(name)}:${raw}`).join(",")}}`;
}

function propertyStart({ required, shape }: Property, options: FillOptions, depth: number): string | null {
	if (required) return startOf(shape, options, depth + 1);
	return options.defaults ? shape.default : null;
}

function rowsStart(shape: Shape, options: FillOptions, depth: number): string {
	const least = Math.min(MAX_ROWS, Number(get(shape.parts, "minItems")?.raw ?? 0) || 0);
	if (!shape.item || least === 0 || depth >= MAX_DEPTH) return "[]";
	const row = startOf(shape.item(), options, depth + 1);
	return row === null ? "[]" : `[${new Array(least).fill(row).join(",")}]`;
}
