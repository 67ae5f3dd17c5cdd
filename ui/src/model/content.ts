/** The parts of a tool's result that a person reads first. */
import { bytes } from "./format";
import { at, type Json, readJson, text } from "./json/tree";

/** A content block: its text, or what it is. */
export interface Block {
	/** `text`, or what stands in for it: `[image png, 12 kB]`. */
	text: string;
	isText: boolean;
}

/** A result taken apart. */
export interface Content {
	blocks: Block[];
	/** `structuredContent` as received. */
	structured: string | null;
	resultType: string | null;
}

/** Takes the frame of a response apart. */
export function readContent(frame: string): Content {
	const result = at(readJson(frame), "result");
	return {
		blocks: at(result, "content")?.items.map(block) ?? [],
		structured: at(result, "structuredContent")?.raw ?? null,
		resultType: text(at(result, "resultType")),
	};
}

function block(json: Json): Block {
	const type = text(at(json, "type")) ?? "unknown";
	if (type === "text") return { text: text(at(json, "text")) ?? json.raw, isText: true };
	const mime = text(at(json, "mimeType")) ?? text(at(json, "resource", "mimeType"));
	const data = text(at(json, "data"));
	const embedded = text(at(json, "resource", "text"));
	const where = text(at(json, "uri")) ?? text(at(json, "resource", "uri"));
	// Base64 holds three bytes in four characters.
	const size = data === null ? null : bytes(Math.floor((data.length * 3) / 4));
	const facts = [mime, where, size].filter((fact) => fact !== null).join(", ");
	const head = facts === "" ? `[${type}]` : `[${type} ${facts}]`;
	return embedded === null ? { text: head, isText: false } : { text: `${head}\n${embedded}`, isText: true };
}
