import { useEffect, useState } from "react";
import { useMaybeStore } from "../../components/useStore";
import type { Backend } from "../../ipc/backend";
import type { ExchangeRow } from "../../ipc/bindings/ExchangeRow";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import type { SessionStore } from "../../model/sessionStore";

/** The HTTP exchange that a record is part of, as it grows; null where there is none, undefined until that is known. */
export function useExchange(
	backend: Backend,
	store: SessionStore,
	row: RecordRow | null,
	http: boolean,
): ExchangeRow | null | undefined {
	const [read, setRead] = useState<{ of: string; exchange: ExchangeRow | null } | null>(null);
	const log = useMaybeStore(store.view)?.logTotal ?? 0;
	const { session } = store;
	const seq = http && row ? row.seq : null;
	const of = `${session} ${seq}`;
	const known = read?.of === of ? read.exchange : undefined;
	// What crossed no wire gets no exchange later, and one that has ended does not grow.
	const settled = known === null ? row?.direction === null : known !== undefined && known.end !== null;
	const grown = settled ? 0 : log;

	// biome-ignore lint/correctness/useExhaustiveDependencies: what has been logged since may belong to it
	useEffect(() => {
		if (seq === null) return;
		backend
			.call("get_exchange", { session, seq })
			.then((exchange) => setRead({ of, exchange }))
			.catch(() => undefined);
	}, [backend, session, seq, of, grown]);

	return http ? known : null;
}
