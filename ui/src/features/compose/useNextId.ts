import { useEffect, useState } from "react";
import type { Backend } from "../../ipc/backend";

/** The id that this app would give a request next; null while nothing can be sent. */
export function useNextId(backend: Backend, session: string, turn: number): string | null {
	const [id, setId] = useState<string | null>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks again
	useEffect(() => {
		let live = true;
		const draft = { method: "ping", params: null, timeout_ms: null, headers: [] };
		backend
			.call("preview_request", { session, draft })
			.then((row) => live && setId(row.id))
			.catch(() => live && setId(null));
		return () => {
			live = false;
		};
	}, [backend, session, turn]);
	return id;
}
