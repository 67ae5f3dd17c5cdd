/** What can be filled in and sent: a tool, a prompt, a resource. The same list, form and frame serve all of them. */
import type { OfferRow } from "../ipc/bindings/OfferRow";
import type { ToolRow } from "../ipc/bindings/ToolRow";
import { bytes } from "./format";
import { at, readJson, text } from "./json/tree";
import { plainType } from "./media";
import { expand, schemaOf } from "./uriTemplate";

const URI_SCHEMA = '{"type":"object","properties":{"uri":{"type":"string"}},"required":["uri"]}';

/** A part of the item as the server wrote it; null where the item has none. */
export interface Part {
	value: string;
	label: string;
	text: string | null;
}

/** A word beside an item of a list. */
export interface Mark {
	word: string;
	/** It warns. */
	bad: boolean;
}

/** An item of a list with the request that it is good for. */
export interface Callable {
	method: "tools/call" | "prompts/get" | "resources/read";
	/** The list in which it stands, as its method; null where the user made it. */
	list: string | null;
	name: string;
	title: string | null;
	description: string | null;
	/** What is wrong with the item. */
	problem: string | null;
	/** Text by which it is found beside name, title and description. */
	keywords: string;
	marks: readonly Mark[];
	/** JSON Schema of what is filled in. */
	schema: string | null;
	/** JSON Schema that the result's structured content promises to match. */
	output: string | null;
	/** Its server marks it as destructive: asked for once in a session. */
	destructive: boolean;
	parts: readonly Part[];
	/** What `completion/complete` names it by; null where it takes nothing that could be completed. */
	ref: string | null;
	/** What there is to know of it beside its words. */
	about: () => About;
	/** The request's params, from what is filled in as JSON text: to the byte. */
	params: (text: string) => string;
}

/** Facts of an item: written ones alone. */
export interface About {
	facts: readonly { name: string; value: string }[];
	/** `src` of its icons, as written. */
	icons: readonly string[];
}

/** A tool. */
export function toolCall(tool: ToolRow): Callable {
	const marks = [
		{ word: "destructive", on: tool.destructive, bad: true },
		{ word: "read", on: tool.read_only, bad: false },
		{ word: "idem", on: tool.idempotent, bad: false },
		{ word: "open", on: tool.open_world, bad: false },
	];
	return {
		method: "tools/call",
		list: "tools/list",
		name: tool.name,
		title: tool.title,
		description: tool.description,
		problem: tool.problem,
		keywords: "",
		// Annotations that are written; a missing one says nothing.
		marks: marks.filter(({ on }) => on),
		schema: tool.input_schema,
		output: tool.output_schema,
		destructive: tool.destructive === true,
		parts: [
			{ value: "input", label: "inputSchema", text: tool.input_schema },
			{ value: "output", label: "outputSchema", text: tool.output_schema },
			{ value: "item", label: "Whole item", text: tool.raw },
		],
		ref: null,
		about: () => aboutOf(tool.raw),
		params: (text) => named(tool, text),
	};
}

/** A prompt: its arguments are strings, whatever they mean (server/prompts). */
export function promptCall(prompt: OfferRow): Callable {
	const properties = prompt.arguments.map(({ name, title, description }) => {
		const about = [
			...(title === null ? [] : [`"title":${JSON.stringify(title)}`]),
			...(description === null ? [] : [`"description":${JSON.stringify(description)}`]),
		];
		return `${JSON.stringify(name)}:{${['"type":"string"', ...about].join(",")}}`;
	});
	const required = prompt.arguments.filter((argument) => argument.required).map(({ name }) => name);
	const { length } = prompt.arguments;
	return {
		method: "prompts/get",
		list: "prompts/list",
		name: prompt.name,
		title: prompt.title,
		description: prompt.description,
		problem: prompt.problem,
		keywords: "",
		marks: length === 0 ? [] : [{ word: `${length} arg${length === 1 ? "" : "s"}`, bad: false }],
		schema: `{"type":"object","properties":{${properties.join(",")}},"required":${JSON.stringify(required)}}`,
		output: null,
		destructive: false,
		parts: [{ value: "item", label: "Whole item", text: prompt.raw }],
		ref: `{"type":"ref/prompt","name":${nameOf(prompt)}}`,
		about: () => aboutOf(prompt.raw),
		params: (text) => named(prompt, text),
	};
}

/** A resource: what is filled in are the params themselves, so that its URI can be changed. */
export function resourceCall(resource: OfferRow): Callable {
	return {
		...offered(resource, "resources/list"),
		schema: URI_SCHEMA.replace('"string"', `"string","default":${JSON.stringify(resource.uri)}`),
		params: (text) => text,
	};
}

/** A resource template: its variables are filled in (RFC 6570). */
export function templateCall(template: OfferRow): Callable {
	return {
		...offered(template, "resources/templates/list"),
		schema: schemaOf(template.uri),
		ref: `{"type":"ref/resource","uri":${JSON.stringify(template.uri)}}`,
		params: (text) => `{"uri":${JSON.stringify(expand(template.uri, text))}}`,
	};
}

/** Resources need not be listed: any URI can be read. */
export const ANY_URI: Callable = {
	...offered(
		{
			name: "any URI",
			title: "Read a resource by its URI",
			description: null,
			uri: "",
			mime_type: null,
			size: null,
			arguments: [],
			raw: "{}",
			problem: null,
		},
		null,
	),
	schema: URI_SCHEMA,
	parts: [],
	params: (text) => text,
};

function offered(offer: OfferRow, list: string | null): Omit<Callable, "schema" | "params"> {
	const type = plainType(offer.mime_type);
	return {
		method: "resources/read",
		list,
		name: offer.name,
		title: offer.title,
		description: offer.description,
		problem: offer.problem,
		keywords: [offer.uri, offer.mime_type].filter((part) => part).join(" "),
		marks: type === "" ? [] : [{ word: type.slice(type.indexOf("/") + 1).slice(0, 16), bad: false }],
		output: null,
		destructive: false,
		parts: [{ value: "item", label: "Whole item", text: offer.raw }],
		ref: null,
		about: () => aboutOf(offer.raw),
	};
}

/** What an item says of itself: address, type, size, annotations, icons. */
function aboutOf(raw: string): About {
	const item = readJson(raw);
	const notes = at(item, "annotations");
	const audience = at(notes, "audience")?.items.map((one) => text(one) ?? one.raw);
	const size = Number(at(item, "size")?.raw ?? Number.NaN);
	const facts = [
		{ name: "URI", value: text(at(item, "uri")) },
		{ name: "template", value: text(at(item, "uriTemplate")) },
		{ name: "type", value: text(at(item, "mimeType")) },
		{ name: "size", value: Number.isFinite(size) ? bytes(size) : null },
		{ name: "for", value: audience?.join(", ") ?? null },
		{ name: "priority", value: at(notes, "priority")?.raw ?? null },
		{ name: "modified", value: text(at(notes, "lastModified")) },
	];
	return {
		facts: facts.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])),
		icons: at(item, "icons")?.items.flatMap((icon) => text(at(icon, "src")) ?? []) ?? [],
	};
}

/** `{"name": …, "arguments": …}`; without arguments where nothing is typed. */
function named(item: { name: string; raw: string }, text: string): string {
	const name = nameOf(item);
	return text.trim() === "" ? `{"name":${name}}` : `{"name":${name},"arguments":${text}}`;
}

/** The name as the server wrote it, escapes included. */
function nameOf({ name, raw }: { name: string; raw: string }): string {
	return at(readJson(raw), "name")?.raw ?? JSON.stringify(name);
}
