import { useEffect, useState } from "react";
import type { Backend } from "../../ipc/backend";
import type { PreviewRow } from "../../ipc/bindings/PreviewRow";
import { words } from "../../model/errors";

/** The frame that would be sent. */
export interface Preview {
	row: PreviewRow | null;
	/** Why there is none. */
	failure: string | null;
}

/** Asks for the frame at every change; an answer that was overtaken is dropped. */
export function usePreview(
	backend: Backend,
	session: string | null,
	method: string,
	params: string | null,
	/** Asks again when this changes: a sent request uses an id up. */
	turn: number,
): Preview {
	const [preview, setPreview] = useState<Preview>({ row: null, failure: null });
	// biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks again
	useEffect(() => {
		if (session === null || params === null) {
			setPreview({ row: null, failure: null });
			return;
		}
		let live = true;
		const draft = { method, params, timeout_ms: null, headers: [] };
		backend
			.call("preview_request", { session, draft })
			.then((row) => live && setPreview({ row, failure: null }))
			.catch((error: unknown) => live && setPreview({ row: null, failure: words(error) }));
		return () => {
			live = false;
		};
	}, [backend, session, method, params, turn]);
	return preview;
}
