import { useEffect, useState } from "react";
import { useStore } from "../../components/useStore";
import { Folds } from "../../model/folds";
import type { SessionStore } from "../../model/sessionStore";
import type { ViewStore } from "../../model/viewStore";

const NONE = new Folds();

/** The rows of a view that are folded away. One that is selected from elsewhere is brought back. */
export function useFolds(session: SessionStore, view: ViewStore): Folds {
	const { rounds, selected } = session;
	useStore(rounds);
	const [found, setFound] = useState<{ view: ViewStore; folds: Folds }>({ view, folds: NONE });
	const hidden = rounds.hidden();
	const key = hidden.join();
	const { epoch } = view;
	// biome-ignore lint/correctness/useExhaustiveDependencies: `key` says what is hidden, `epoch` that places have changed
	useEffect(() => {
		let live = true;
		void Promise.all(hidden.map((seq) => view.indexOf(seq)))
			.then((places) => {
				const shown = places.filter((place) => place !== null).sort((one, other) => one - other);
				if (live) setFound({ view, folds: new Folds(shown) });
			})
			// The view was closed: another takes its place.
			.catch(() => undefined);
		return () => {
			live = false;
		};
	}, [view, epoch, key]);
	const seq = selected?.row.seq ?? 0;
	useEffect(() => {
		const call = rounds.of(seq)?.call;
		if (call && seq !== call.first) rounds.fold(call, false);
	}, [rounds, seq]);
	return found.view === view ? found.folds : NONE;
}
