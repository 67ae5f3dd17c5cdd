import { useCallback, useEffect, useRef, useState } from "react";
import type { Backend } from "../../ipc/backend";
import type { CatalogRow } from "../../ipc/bindings/CatalogRow";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import { words } from "../../model/errors";

/** The tools of a session. */
export interface Catalog {
	/** Kept while it is read again, and after the connection has ended. */
	row: CatalogRow | null;
	/** The session that was asked last and has answered, or failed to. */
	of: string | null;
	failure: string | null;
	loading: boolean;
	reload: () => void;
}

const NONE = { row: null, of: null, failure: null, loading: false };

/** Reads a session's tools when it is opened, when it becomes connected, and when the server has changed them. */
export function useCatalog(backend: Backend, session: SessionRow | null): Catalog {
	const [state, setState] = useState<Omit<Catalog, "reload">>(NONE);
	const turn = useRef(0);
	const id = session?.id ?? null;
	const server = session?.server_id ?? id;
	const connecting = session?.conn.state === "connecting";
	const connected = session?.conn.state === "connected";

	const load = useCallback(
		async (refresh: boolean) => {
			if (id === null) return;
			turn.current += 1;
			const mine = turn.current;
			setState((old) => ({ ...old, loading: true }));
			try {
				const row = await backend.call("list_catalog", { session: id, refresh });
				if (mine === turn.current) setState({ row, of: id, failure: null, loading: false });
			} catch (error) {
				// Before it is connected there may be nothing to show, and nothing has failed.
				const failure = connecting ? null : words(error);
				if (mine === turn.current) setState((old) => ({ ...old, of: id, failure, loading: false }));
			}
		},
		[backend, id, connecting],
	);

	// Another server's tools are not kept; those of the session before are, until the new ones are here.
	const [shown, setShown] = useState({ id, server });
	if (shown.id !== id || shown.server !== server) {
		setShown({ id, server });
		if (shown.id !== id && shown.server !== server) setState(NONE);
	}
	// biome-ignore lint/correctness/useExhaustiveDependencies: a session that becomes connected has new tools
	useEffect(() => {
		void load(false);
	}, [load, connected]);
	useEffect(() => {
		const told = backend.listen("lists-changed", (changed) => {
			if (changed.session === id) void load(false);
		});
		return () => void told.then((end) => end());
	}, [backend, load, id]);

	return { ...state, reload: () => void load(true) };
}
