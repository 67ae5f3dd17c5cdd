/** Takes `oneOf` and `anyOf` apart: null beside something, a choice of values, rules about names, or real variants. */
import { type Json, text } from "../json/tree";
import { expand, get, keywords, type Parts, properties, required, without } from "./schema";
import type { Option } from "./shape";

/** A branch that is a shape of its own. */
interface Branch {
	label: string;
	parts: Parts;
}

/** What the unions of a place come to. `parts` are those of the place without what was taken apart. */
export type Union =
	| { is: "none"; parts: Parts; rules: string[] }
	| { is: "null" }
	| { is: "options"; options: Option[]; nullable: boolean }
	| { is: "one"; parts: Parts; only: Parts; nullable: boolean }
	| { is: "many"; parts: Parts; keyword: string; branches: Branch[]; nullable: boolean };

/** Keywords of a branch that only says which names go together. */
const RULE_ONLY = new Set([
	"required",
	"not",
	"minProperties",
	"maxProperties",
	"title",
	"description",
	"dependentRequired",
]);

/** The first union of a place; the next one shows once this one is taken off. */
export function unionOf(place: Parts, root: Json): Union {
	let parts = place;
	const rules: string[] = [];
	for (const keyword of ["oneOf", "anyOf"]) {
		const schemas = get(parts, keyword)?.items;
		if (!schemas || schemas.length === 0) continue;
		const branches = schemas.map((schema) => ({ schema, parts: expand([schema], root) }));
		if (branches.every((branch) => isRule(branch.parts))) {
			parts = without(parts, keyword);
			rules.push(`${keyword}: ${branches.map((branch) => ruleWords(branch.parts)).join(" or ")}`);
			continue;
		}
		const real = branches.filter((branch) => !isNull(branch.parts));
		const nullable = real.length < branches.length;
		const rest = without(parts, keyword);
		const options = real.map((branch) => option(branch.parts));
		if (real.length > 0 && options.every((one) => one !== null)) return { is: "options", options, nullable };
		const only = real[0];
		if (!only) return { is: "null" };
		if (real.length === 1) return { is: "one", parts: rest, only: only.parts, nullable };
		const labels = distinct(
			real.map((branch, i) => label(branch.schema, branch.parts) ?? `variant ${i + 1}`),
		);
		return {
			is: "many",
			parts: rest,
			keyword,
			branches: real.map((branch, i) => ({ label: labels[i] ?? "", parts: branch.parts })),
			nullable,
		};
	}
	return { is: "none", parts, rules };
}

function isRule({ list, trouble }: Parts): boolean {
	return (
		trouble === null &&
		list.length > 0 &&
		list.every((part) => part.size > 0 && [...part.keys()].every((keyword) => RULE_ONLY.has(keyword)))
	);
}

function ruleWords(parts: Parts): string {
	const names = required(parts);
	return names.length > 0 ? names.join(" + ") : "a rule";
}

function isNull(parts: Parts): boolean {
	const values = get(parts, "enum")?.items;
	return (
		text(get(parts, "type")) === "null" ||
		get(parts, "const")?.raw === "null" ||
		(values?.length === 1 && values[0]?.raw === "null")
	);
}

/** A branch that is one value. */
function option(parts: Parts): Option | null {
	if (parts.trouble !== null) return null;
	const values = get(parts, "enum")?.items;
	const value = get(parts, "const") ?? (values?.length === 1 ? values[0] : null);
	if (!value) return null;
	return { raw: value.raw, label: text(get(parts, "title")) ?? text(value) ?? value.raw };
}

/** What a variant is called: its title, what tells it from the others, its name in `$defs`, its type. */
function label(schema: Json, parts: Parts): string | null {
	return (
		text(get(parts, "title")) ??
		discriminator(parts) ??
		text(keywords(schema).get("$ref"))?.split("/").at(-1) ??
		names(parts) ??
		typeLabel(parts)
	);
}

function discriminator(parts: Parts): string | null {
	for (const schemas of properties(parts).values()) {
		for (const schema of schemas) {
			const own = keywords(schema);
			const values = own.get("enum")?.items;
			const value = own.get("const") ?? (values?.length === 1 ? values[0] : null);
			if (value) return text(value) ?? value.raw;
		}
	}
	return null;
}

function names(parts: Parts): string | null {
	const needed = required(parts);
	const all = needed.length > 0 ? needed : [...properties(parts).keys()];
	return all.length > 0 ? all.slice(0, 3).join(", ") : null;
}

function typeLabel(parts: Parts): string | null {
	const type = text(get(parts, "type"));
	if (type !== "array") return type;
	const items = get(parts, "items");
	const of = items?.kind === "object" ? text(keywords(items).get("type")) : null;
	return of === null ? "array" : `${of}[]`;
}

function distinct(labels: string[]): string[] {
	return labels.map((one, i) => (labels.indexOf(one) === labels.lastIndexOf(one) ? one : `${one} ${i + 1}`));
}
