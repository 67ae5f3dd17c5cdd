/** The parts of an answer that a person reads first. */
import { at, type Json, readJson, text } from "./json/tree";

/** What a content block is. Nothing in it is fetched: pictures and sounds come from their own data. */
export type Block = {
	/** Who says it: of the messages of a prompt. */
	role: string | null;
	note: string | null;
	raw: string;
} & (
	| { kind: "text"; text: string }
	| { kind: "image" | "audio"; mime: string; data: string; size: number }
	| {
			kind: "resource";
			uri: string;
			mime: string | null;
			text: string | null;
			/** Base64; null where it is text, or no base64. */
			blob: string | null;
			size: number | null;
	  }
	| {
			kind: "link";
			uri: string;
			name: string;
			description: string | null;
			mime: string | null;
			size: number | null;
	  }
	/** `why`: what keeps a picture or a sound from being drawn. */
	| { kind: "unknown"; type: string; why: string | null }
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
	/** What the blocks are called: `Content` of a tool, `Messages` of a prompt, `Contents` of a resource. */
	title: string;
	blocks: Block[];
	/** Of a prompt. */
	description: string | null;
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
		...parts(result),
		description: text(at(result, "description")),
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

/** What a model is asked: the messages of `sampling/createMessage`, from its params. */
export function readMessages(params: Json | null): Block[] {
	return at(params, "messages")?.items.flatMap(message) ?? [];
}

function parts(result: Json | null): Pick<Content, "title" | "blocks"> {
	const messages = at(result, "messages");
	if (messages) return { title: "Messages", blocks: messages.items.flatMap(message) };
	const contents = at(result, "contents");
	if (contents) {
		return { title: "Contents", blocks: contents.items.map((item) => resource(item, plain(item))) };
	}
	return { title: "Content", blocks: at(result, "content")?.items.map(block) ?? [] };
}

/** A message has one block; several are tolerated (server/prompts). */
function message(json: Json): Block[] {
	const role = text(at(json, "role")) ?? "without a role";
	const content = at(json, "content");
	if (!content)
		return [{ role, note: null, raw: json.raw, kind: "unknown", type: "without content", why: null }];
	const blocks = content.kind === "array" ? content.items : [content];
	return blocks.map((one) => ({ ...block(one), role }));
}

function plain(json: Json): { role: null; note: string | null; raw: string } {
	return { role: null, note: note(json), raw: json.raw };
}

function resource(json: Json | null, common: ReturnType<typeof plain>): Block {
	const blob = text(at(json, "blob"));
	return {
		...common,
		kind: "resource",
		uri: text(at(json, "uri")) ?? "",
		mime: text(at(json, "mimeType")),
		text: text(at(json, "text")),
		blob: blob !== null && isBase64(blob) ? blob : null,
		size: blob === null ? null : sizeOf(blob),
	};
}

function block(json: Json): Block {
	const type = text(at(json, "type")) ?? "";
	const common = plain(json);
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
			const why =
				data === null
					? "it has no data"
					: mime === null || !isMedia(type, mime)
						? `its mimeType is of no ${type}`
						: isBase64(data)
							? null
							: "its data is no Base64";
			if (data === null || mime === null || why !== null) return { ...common, kind: "unknown", type, why };
			return { ...common, kind: type, mime, data, size: sizeOf(data) };
		}
		case "resource":
			return resource(at(json, "resource"), common);
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
	return { ...common, kind: "unknown", type: type === "" ? "without a type" : type, why: null };
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
