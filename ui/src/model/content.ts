/** The parts of an answer that a person reads first. */
import { at, type Json, readJson, text } from "./json/tree";

/** What a content block is. Nothing in it is fetched: pictures and sounds come from their own data. */
export type Block = { note: string | null; raw: string } & (
	| { kind: "text"; text: string }
	| { kind: "image" | "audio"; mime: string; data: string; size: number }
	| { kind: "resource"; uri: string; mime: string | null; text: string | null; size: number | null }
	| {
			kind: "link";
			uri: string;
			name: string;
			description: string | null;
			mime: string | null;
			size: number | null;
	  }
	| { kind: "unknown"; type: string }
);

/** A JSON-RPC error. */
export interface RpcError {
	code: string;
	message: string;
	/** As received. */
	data: string | null;
}

/** An answer taken apart. */
export interface Content {
	blocks: Block[];
	/** `structuredContent` as received. */
	structured: string | null;
	resultType: string | null;
	isError: boolean;
	error: RpcError | null;
	/** The result as received, for methods that have no content blocks. */
	result: string | null;
}

/** Takes the frame of a response apart. */
export function readContent(frame: string): Content {
	const root = readJson(frame);
	const result = at(root, "result");
	const error = at(root, "error");
	return {
		blocks: at(result, "content")?.items.map(block) ?? [],
		structured: at(result, "structuredContent")?.raw ?? null,
		resultType: text(at(result, "resultType")),
		isError: at(result, "isError")?.raw === "true",
		error: error && {
			code: at(error, "code")?.raw ?? "without a code",
			message: text(at(error, "message")) ?? "",
			data: at(error, "data")?.raw ?? null,
		},
		result: result?.raw ?? null,
	};
}

function block(json: Json): Block {
	const type = text(at(json, "type")) ?? "";
	const common = { note: note(json), raw: json.raw };
	switch (type) {
		case "text": {
			const said = text(at(json, "text"));
			if (said !== null) return { ...common, kind: "text", text: said };
			break;
		}
		case "image":
		case "audio": {
			const data = text(at(json, "data"));
			const mime = text(at(json, "mimeType"));
			if (data !== null && mime !== null && isMedia(type, mime) && isBase64(data))
				return { ...common, kind: type, mime, data, size: sizeOf(data) };
			break;
		}
		case "resource": {
			const resource = at(json, "resource");
			const blob = text(at(resource, "blob"));
			return {
				...common,
				kind: "resource",
				uri: text(at(resource, "uri")) ?? "",
				mime: text(at(resource, "mimeType")),
				text: text(at(resource, "text")),
				size: blob === null ? null : sizeOf(blob),
			};
		}
		case "resource_link":
			return {
				...common,
				kind: "link",
				uri: text(at(json, "uri")) ?? "",
				name: text(at(json, "title")) ?? text(at(json, "name")) ?? "",
				description: text(at(json, "description")),
				mime: text(at(json, "mimeType")),
				size: Number(at(json, "size")?.raw ?? Number.NaN) || null,
			};
	}
	return { ...common, kind: "unknown", type: type === "" ? "without a type" : type };
}

/** Who it is for, and how much it matters. */
function note(json: Json): string | null {
	const annotations = at(json, "annotations");
	const audience = at(annotations, "audience")?.items.map((one) => text(one) ?? one.raw);
	const priority = at(annotations, "priority")?.raw;
	const parts = [
		...(audience && audience.length > 0 ? [`for ${audience.join(", ")}`] : []),
		...(priority === undefined ? [] : [`priority ${priority}`]),
	];
	return parts.length === 0 ? null : parts.join(" · ");
}

/** Only a plain type of the right family becomes part of a data URL. */
function isMedia(kind: "image" | "audio", mime: string): boolean {
	return mime.startsWith(`${kind}/`) && /^[a-z]+\/[a-z0-9.+-]+$/i.test(mime);
}

function isBase64(data: string): boolean {
	return /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}

/** Base64 holds three bytes in four characters. */
function sizeOf(data: string): number {
	return Math.floor((data.replace(/=+$/, "").length * 3) / 4);
}
