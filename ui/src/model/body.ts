/** Bodies that are too long to come in one piece. */
import type { Backend } from "../ipc/backend";

/** Bytes asked for at a time: a megabyte keeps the page responsive between two of them. */
const PIECE = 1024 * 1024;

/** Reads a body and decodes it; `onProgress` hears the bytes so far. Invalid UTF-8 is replaced. */
export async function readAll(
	backend: Backend,
	session: string,
	seq: number,
	size: number,
	onProgress?: (bytes: number) => void,
): Promise<string> {
	const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	const parts: string[] = [];
	for (let from = 0; from < size; from += PIECE) {
		const len = Math.min(PIECE, size - from);
		const bytes = await backend.call("frame_range", { session, seq, from, len });
		parts.push(decoder.decode(bytes, { stream: true }));
		onProgress?.(from + len);
	}
	parts.push(decoder.decode());
	return parts.join("");
}
