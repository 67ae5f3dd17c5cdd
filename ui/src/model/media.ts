/** What can be shown of contents, by their MIME type. */
import { isJson } from "./form/edit";

/** A way to show contents. */
export type View = "markdown" | "json" | "picture" | "sound" | "text" | "bytes";

/** Contents of a resource. */
export interface Media {
	mime: string | null;
	/** Null where it is a blob. */
	text: string | null;
	/** Base64; null where it is text. */
	blob: string | null;
}

/** A longer text is not tried as JSON, and not drawn as Markdown at once. */
const MAX_TRIED = 1024 * 1024;

/** Pictures that every web view draws. SVG too: in a picture it runs no script and loads nothing. */
const PICTURES = /^image\/(png|jpeg|gif|webp|bmp|avif|svg\+xml|x-icon|vnd\.microsoft\.icon)$/;
/** Only a plain type becomes part of a data URL. */
const SOUNDS = /^audio\/[a-z0-9.+-]+$/;

/** The ways to show contents, the best first. */
export function viewsOf({ mime, text, blob }: Media): View[] {
	const type = plainType(mime);
	const drawn: View[] = PICTURES.test(type) ? ["picture"] : SOUNDS.test(type) ? ["sound"] : [];
	if (text === null) return blob === null ? [] : [...drawn, "bytes"];
	// Text of another type is a data URL only where it is a picture by nature.
	if (type === "image/svg+xml") return ["picture", "text"];
	if (type === "text/markdown" || type === "text/x-markdown")
		return text.length > MAX_TRIED ? ["text", "markdown"] : ["markdown", "text"];
	const json = type === "application/json" || type.endsWith("+json");
	if (json || (/^\s*[[{]/.test(text) && text.length <= MAX_TRIED && isJson(text)))
		return json ? ["json", "text"] : ["text", "json"];
	return ["text"];
}

/** The type without parameters, in lower case. */
export function plainType(mime: string | null): string {
	return (mime ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** A data URL of a picture or sound. */
export function dataUrl({ mime, text, blob }: Media): string {
	const type = plainType(mime);
	return blob === null
		? `data:${type};charset=utf-8,${encodeURIComponent(text ?? "")}`
		: `data:${type};base64,${blob}`;
}

/** The bytes of base64. */
export function bytesOf(blob: string): Uint8Array {
	return Uint8Array.from(atob(blob), (char) => char.charCodeAt(0));
}

/** Text as base64 of its UTF-8. */
export function base64Of(text: string): string {
	return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}

/** A file name for what a URI names: its last segment. */
export function fileNameOf(uri: string): string {
	const [path = ""] = uri.split(/[?#]/);
	return (path.split(/[/\\:]/).pop() ?? "").replace(/[^\w.-]+/g, "_") || "resource";
}
