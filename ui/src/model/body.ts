/** Bodies that are too long to come in one piece. */
import type { Backend } from "../ipc/backend";

/** Bytes asked for at a time: a megabyte keeps the page responsive between two of them. */
const PIECE = 1024 * 1024;
/** How long saved bytes are kept for the download to take them, milliseconds. */
const KEPT_MS = 60_000;

/** Hands over a body in ranges, as bytes; `onProgress` hears the bytes so far. */
async function* ranges(
	backend: Backend,
	session: string,
	seq: number,
	size: number,
	onProgress?: (bytes: number) => void,
): AsyncGenerator<ArrayBuffer> {
	for (let from = 0; from < size; from += PIECE) {
		const len = Math.min(PIECE, size - from);
		yield await backend.call("frame_range", { session, seq, from, len });
		onProgress?.(from + len);
	}
}

/** Reads a body and decodes it. Invalid UTF-8 is replaced. */
export async function readAll(
	backend: Backend,
	session: string,
	seq: number,
	size: number,
	onProgress?: (bytes: number) => void,
): Promise<string> {
	const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	const parts: string[] = [];
	for await (const bytes of ranges(backend, session, seq, size, onProgress)) {
		parts.push(decoder.decode(bytes, { stream: true }));
	}
	parts.push(decoder.decode());
	return parts.join("");
}

/** Saves a body to the byte, where the system puts what is downloaded. The name of the file. */
export async function saveBody(
	backend: Backend,
	session: string,
	seq: number,
	size: number,
	onProgress?: (bytes: number) => void,
): Promise<string> {
	const parts: ArrayBuffer[] = [];
	for await (const bytes of ranges(backend, session, seq, size, onProgress)) parts.push(bytes);
	const url = URL.createObjectURL(new Blob(parts, { type: "application/octet-stream" }));
	const link = document.createElement("a");
	link.href = url;
	link.download = `frame-${seq}.json`;
	link.click();
	// The download has begun with the click, and holds the bytes itself.
	setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
	return link.download;
}
