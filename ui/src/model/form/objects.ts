/** Objects as the form draws them. */
import type { Json } from "../json/tree";
import { expand, get, type Parts, properties, required } from "./schema";
import { type Context, once, type Property, read, type Shape, shapeOf } from "./shape";

/** Keywords whose rules are left to the check. */
const RULES = [
	"if",
	"not",
	"dependentRequired",
	"dependentSchemas",
	"dependencies",
	"propertyNames",
	"unevaluatedProperties",
];

/** An object: fields for its properties, or key and value rows; JSON where nothing is known of them. */
export function objectShape(parts: Parts, base: Shape, context: Context): Shape {
	const declared = properties(parts);
	const rest = restOf(parts);
	const rules = [...base.rules, ...RULES.filter((keyword) => get(parts, keyword)).map(ruleName)];
	const value = rest && once(() => read(expand([rest], context.root), { ...context, depth: 0 }));
	if (get(parts, "patternProperties")) {
		if (declared.size === 0) return { ...base, rules, why: "patternProperties" };
		rules.push("patternProperties");
	}
	if (declared.size === 0 && required(parts).length === 0) {
		if (value) return { ...base, kind: "map", rules, item: value };
		if (get(parts, "additionalProperties")?.raw !== "false") {
			return { ...base, rules, why: "the schema names no properties" };
		}
	}
	return {
		...base,
		kind: "object",
		rules,
		properties: once(() => fields(declared, parts, context.root)),
		rest: value,
	};
}

function fields(declared: ReadonlyMap<string, Json[]>, parts: Parts, root: Json): Property[] {
	const needed = new Set(required(parts));
	const named = [...declared].map(([name, schemas]) => ({
		name,
		required: needed.has(name),
		shape: shapeOf(schemas, root),
	}));
	// A name that is required but declared nowhere may hold anything.
	const ghosts = [...needed].filter((name) => !declared.has(name));
	return [...named, ...ghosts.map((name) => ({ name, required: true, shape: shapeOf([], root) }))];
}

/** A schema for properties that are not named; null where there is none, or it says nothing. */
function restOf(parts: Parts): Json | null {
	const schema = get(parts, "additionalProperties");
	return schema?.kind === "object" && schema.members.length > 0 ? schema : null;
}

function ruleName(keyword: string): string {
	return keyword === "if" ? "if / then / else" : keyword;
}
