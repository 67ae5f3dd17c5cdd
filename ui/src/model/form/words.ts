/** What the form says about a place: its type in a word, and its constraints. */
import { at, type Json, text } from "../json/tree";
import { get, type Parts } from "./schema";
import type { Shape } from "./shape";

/** Bounds from here on only say that an integer is one: `z.int()` writes them at every field. */
const SAFE = Number.MAX_SAFE_INTEGER;

/** The schema's word for a place with its tightest constraint: `integer 1–99`, `string | null`, `oneOf 3`. */
export function typeWord(shape: Shape): string {
	const bounds = range(shape);
	const word = bounds === "" ? kindWord(shape) : `${kindWord(shape)} ${bounds}`;
	return shape.nullable && shape.kind !== "null" ? `${word} | null` : word;
}

function kindWord(shape: Shape): string {
	switch (shape.kind) {
		case "string":
			return shape.format ?? "string";
		case "list":
		case "multi":
		case "rows":
			return shape.item ? `${itemWord(shape.item())}[]` : "array";
		case "map":
			return shape.item ? `map of ${itemWord(shape.item())}` : "map";
		case "variants":
			return shape.union === "type"
				? shape.variants.map((variant) => variant.label).join(" | ")
				: `${shape.union} ${shape.variants.length}`;
		case "json":
			return text(get(shape.parts, "type")) ?? "any";
		default:
			return shape.kind;
	}
}

function itemWord(shape: Shape): string {
	const word = kindWord(shape);
	return word.includes(" ") && shape.kind !== "map" ? `(${word})` : word;
}

/** `1–99`, `≥ 1`, `2–5 chars`; empty without bounds worth saying. */
function range({ kind, parts }: Shape): string {
	switch (kind) {
		case "integer":
		case "number":
			return [numberRange(parts), multiple(parts)].filter((part) => part !== "").join(", ");
		case "string":
			return between(raw(parts, "minLength"), raw(parts, "maxLength"), " chars");
		case "list":
		case "multi":
		case "rows":
			return between(raw(parts, "minItems"), raw(parts, "maxItems"), "");
		default:
			return "";
	}
}

function numberRange(parts: Parts): string {
	const least = bound(parts, "minimum");
	const most = bound(parts, "maximum");
	const above =
		bound(parts, "exclusiveMinimum") ?? (get(parts, "exclusiveMinimum")?.raw === "true" ? least : null);
	const below =
		bound(parts, "exclusiveMaximum") ?? (get(parts, "exclusiveMaximum")?.raw === "true" ? most : null);
	if (above === null && below === null) return between(least, most, "");
	const low = above !== null ? `> ${above}` : least !== null ? `≥ ${least}` : "";
	const high = below !== null ? `< ${below}` : most !== null ? `≤ ${most}` : "";
	return [low, high].filter((part) => part !== "").join(" ");
}

function multiple(parts: Parts): string {
	const step = get(parts, "multipleOf");
	return step?.kind === "number" && step.raw !== "1" ? `× ${step.raw}` : "";
}

/** A bound as written, unless it only says that the number is a safe integer. */
function bound(parts: Parts, keyword: string): string | null {
	const json = get(parts, keyword);
	return json?.kind === "number" && Math.abs(Number(json.raw)) < SAFE ? json.raw : null;
}

function raw(parts: Parts, keyword: string): string | null {
	const json = get(parts, keyword);
	return json?.kind === "number" ? json.raw : null;
}

function between(least: string | null, most: string | null, unit: string): string {
	const low = least === "0" && unit !== "" ? null : least;
	if (low !== null && most !== null) return low === most ? `${low}${unit}` : `${low}–${most}${unit}`;
	if (low !== null) return `≥ ${low}${unit}`;
	return most === null ? "" : `≤ ${most}${unit}`;
}

/** Keywords whose values are facts worth reading beside a field, in the schema's words. */
const FACTS = [
	"format",
	"pattern",
	"minLength",
	"maxLength",
	"minimum",
	"exclusiveMinimum",
	"maximum",
	"exclusiveMaximum",
	"multipleOf",
	"minItems",
	"maxItems",
	"uniqueItems",
	"minProperties",
	"maxProperties",
	"contentEncoding",
	"contentMediaType",
	"deprecated",
	"readOnly",
	"writeOnly",
	"x-mcp-header",
];

/** A fact of a schema: its keyword and its value as written, a string without its quotes. */
export interface Fact {
	keyword: string;
	value: string;
}

/** All that the schema says about a place beside its type and description. */
export function facts(shape: Shape): Fact[] {
	const said = FACTS.map((keyword) => ({ keyword, json: get(shape.parts, keyword) })).filter(
		(fact): fact is { keyword: string; json: Json } => fact.json !== null && !isSafeBound(fact.json),
	);
	const out = said.map(({ keyword, json }) => ({ keyword, value: text(json) ?? json.raw }));
	if (shape.default !== null) out.push({ keyword: "default", value: shape.default });
	if (shape.examples.length > 0) out.push({ keyword: "examples", value: shape.examples.join(", ") });
	if (shape.rules.length > 0) out.push({ keyword: "also checked", value: shape.rules.join("; ") });
	if (shape.why !== null) out.push({ keyword: "as JSON", value: shape.why });
	return out;
}

function isSafeBound(json: Json): boolean {
	return json.kind === "number" && Math.abs(Number(json.raw)) >= SAFE;
}

/** Whether a text is likely to have several lines. */
export function isLongText(shape: Shape): boolean {
	const media = text(get(shape.parts, "contentMediaType"));
	return shape.format === "textarea" || shape.format === "markdown" || media?.startsWith("text/") === true;
}

/** Whether what is typed should not be read over a shoulder. */
export function isSecret(shape: Shape): boolean {
	return (
		shape.format === "password" || (shape.kind === "string" && get(shape.parts, "writeOnly")?.raw === "true")
	);
}

/** What is wrong with an input schema as a whole; null where it is the object that the spec asks for. */
export function schemaFault(schema: Json | null): string | null {
	if (schema === null || schema.raw === "null")
		return "inputSchema is missing: any arguments are taken as JSON";
	if (schema.kind !== "object") return "inputSchema is no schema: any arguments are taken as JSON";
	const type = at(schema, "type");
	if (type && text(type) !== "object")
		return `type in inputSchema is ${type.raw}; arguments are always an object`;
	const needed = at(schema, "required");
	if (needed && needed.kind !== "array")
		return `required in inputSchema is ${needed.raw}, a list of names was expected`;
	if (type) return null;
	return at(schema, "properties")
		? "inputSchema has no type; it is read as an object"
		: "inputSchema has neither type nor properties: any arguments are taken as JSON";
}
