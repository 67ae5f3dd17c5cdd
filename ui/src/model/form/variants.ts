/** Which of several shapes a value has, and what changing over to another one does to it. */
import { type Json, readJson, text } from "../json/tree";
import { addMember } from "./edit";
import { type FillOptions, valueFor } from "./fill";
import { get } from "./schema";
import type { Shape } from "./shape";

/** Whether two JSON texts are the same scalar; containers only where they are written alike. */
export function sameValue(one: string, other: string): boolean {
	if (one === other) return true;
	const [first, second] = [readJson(one), readJson(other)];
	if (first?.kind === "string" && second?.kind === "string") return text(first) === text(second);
	return first !== null && second !== null && squeeze(first) === squeeze(second);
}

/** Without the spaces between tokens. */
function squeeze(json: Json): string {
	if (json.kind === "object")
		return `{${json.members.map(({ key, value }) => `${JSON.stringify(key)}:${squeeze(value)}`).join(",")}}`;
	return json.kind === "array" ? `[${json.items.map(squeeze).join(",")}]` : json.raw;
}

/** The variant that a value is of: the one chosen by hand as long as the value can be of it, else the best match. */
export function activeVariant(shape: Shape, value: Json | null, chosen: number | null): number {
	if (!value || value.raw === "null") return chosen ?? -1;
	const scores = shape.variants.map((variant) => score(variant.shape(), value));
	if (chosen !== null && (scores[chosen] ?? -1) >= 0) return chosen;
	const best = Math.max(...scores);
	return best < 0 ? (chosen ?? -1) : scores.indexOf(best);
}

/** How well a value fits: negative where it cannot be, more for every sign that it is. */
function score(shape: Shape, value: Json): number {
	switch (shape.kind) {
		case "const":
			return sameValue(shape.fixed ?? "", value.raw) ? 3 : -1;
		case "enum":
			return shape.options.some(({ raw }) => sameValue(raw, value.raw)) ? 3 : -1;
		case "string":
			return value.kind === "string" ? 2 : -1;
		case "integer":
			return value.kind === "number" ? (/^-?\d+$/.test(value.raw) ? 3 : 0) : -1;
		case "number":
			return value.kind === "number" ? 2 : -1;
		case "boolean":
			return value.raw === "true" || value.raw === "false" ? 2 : -1;
		case "null":
			return value.raw === "null" ? 2 : -1;
		case "list":
		case "multi":
		case "rows":
			return value.kind === "array" ? 1 + itemScore(shape, value) : -1;
		case "object":
			return value.kind === "object" ? objectScore(shape, value) : -1;
		case "map":
			return value.kind === "object" ? 0 : -1;
		case "variants":
			return Math.max(...shape.variants.map((variant) => score(variant.shape(), value)));
		case "json":
			return jsonScore(shape, value);
	}
}

function itemScore(shape: Shape, { items }: Json): number {
	const first = items[0];
	return first && shape.item && score(shape.item(), first) < 0 ? -2 : 0;
}

function objectScore(shape: Shape, value: Json): number {
	let points = 1;
	for (const { name, required, shape: property } of shape.properties()) {
		const member = value.members.findLast(({ key }) => key === name)?.value;
		if (!member) {
			if (property.kind === "const" && required) points -= 1;
			continue;
		}
		const tells = property.kind === "const" || (property.kind === "enum" && property.options.length === 1);
		if (tells && score(property, member) < 0) return -1;
		points += tells ? 5 : 1;
	}
	return Math.max(0, points);
}

function jsonScore(shape: Shape, value: Json): number {
	const type = text(get(shape.parts, "type"));
	if (type === null) return 0;
	return type === value.kind ? 1 : -1;
}

/** The value for variant `to`, made from one of another: what both shapes name is kept, the rest starts afresh. */
export function changeOver(to: Shape, old: Json | null, options: FillOptions): string {
	let fresh = valueFor(to, options);
	if (to.kind !== "object" || old?.kind !== "object" || !fresh.startsWith("{")) return fresh;
	for (const { name, shape } of to.properties()) {
		const member = old.members.findLast(({ key }) => key === name)?.value;
		const there = readJson(fresh)?.members.some(({ key }) => key === name) === true;
		if (member && !there && score(shape, member) >= 0) fresh = addMember(fresh, [], name, member.raw);
	}
	return fresh;
}
