/** A stand-in for the host's check: types, required members, bounds, choices, through objects, arrays and references. */
import type { CheckProblem } from "../bindings/CheckProblem";
import type { CheckRow } from "../bindings/CheckRow";
import { isJson } from "./rows";

type Schema = Record<string, unknown>;

/** Checks JSON text against the text of a schema. */
export function check(schema: string, value: string): CheckRow {
	if (!isJson(value)) return { problems: [], unchecked: "the text is not JSON" };
	if (!isJson(schema)) return { problems: [], unchecked: "the schema is not JSON" };
	const root: unknown = JSON.parse(schema);
	if (!isObject(root)) return { problems: [], unchecked: "the schema is no object" };
	const problems: CheckProblem[] = [];
	walk(root, root, JSON.parse(value), "", problems);
	return { problems, unchecked: null };
}

function walk(schema: Schema, root: Schema, value: unknown, path: string, problems: CheckProblem[]): void {
	const say = (keyword: string, message: string, missing: string | null = null) =>
		problems.push({ path, missing, keyword, message });
	const target = typeof schema.$ref === "string" ? follow(root, schema.$ref) : null;
	if (target) walk(target, root, value, path, problems);
	for (const part of list(schema.allOf)) if (isObject(part)) walk(part, root, value, path, problems);
	const wanted =
		list(schema.type).length > 0 ? list(schema.type) : schema.type === undefined ? [] : [schema.type];
	if (wanted.length > 0 && !wanted.some((type) => isOf(type, value))) {
		say("type", `${wanted.join(" or ")} expected, got ${nameOf(value)}`);
		return;
	}
	if ("const" in schema && JSON.stringify(schema.const) !== JSON.stringify(value))
		say("const", `${JSON.stringify(schema.const)} expected`);
	const values = list(schema.enum).map((one) => JSON.stringify(one));
	if (values.length > 0 && !values.includes(JSON.stringify(value)))
		say("enum", "not one of the listed values");
	if (typeof value === "number") {
		if (typeof schema.maximum === "number" && value > schema.maximum)
			say("maximum", `above maximum ${schema.maximum}`);
		if (typeof schema.minimum === "number" && value < schema.minimum)
			say("minimum", `below minimum ${schema.minimum}`);
	}
	if (typeof value === "string" && typeof schema.maxLength === "number" && value.length > schema.maxLength)
		say("maxLength", `longer than ${schema.maxLength}`);
	if (Array.isArray(value) && isObject(schema.items)) {
		const { items } = schema;
		for (const [i, item] of value.entries()) walk(items, root, item, `${path}/${i}`, problems);
	}
	if (isObject(value)) members(schema, root, value, path, problems);
}

function members(schema: Schema, root: Schema, value: Schema, path: string, problems: CheckProblem[]): void {
	const properties = isObject(schema.properties) ? schema.properties : {};
	for (const name of list(schema.required)) {
		if (typeof name === "string" && !(name in value))
			problems.push({ path, missing: name, keyword: "required", message: `${name} is missing` });
	}
	for (const [name, member] of Object.entries(value)) {
		const of = properties[name] ?? schema.additionalProperties;
		if (isObject(of)) walk(of, root, member, `${path}/${name}`, problems);
	}
}

function follow(root: Schema, ref: string): Schema | null {
	let here: unknown = root;
	for (const step of ref.split("/").slice(1)) here = isObject(here) ? here[step] : null;
	return isObject(here) ? here : null;
}

function isOf(type: unknown, value: unknown): boolean {
	return type === nameOf(value) || (type === "number" && typeof value === "number");
}

function nameOf(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "array";
	return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

function isObject(value: unknown): value is Schema {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function list(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}
