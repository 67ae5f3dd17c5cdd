import { useSyncExternalStore } from "react";
import type { Observable } from "../model/observable";

/** Draws again when the model changes. Models change in place; their version is the snapshot. */
export function useStore<T extends Observable>(store: T): T {
	useSyncExternalStore(store.subscribe, store.version);
	return store;
}

const never = (): (() => void) => () => undefined;
const zero = (): number => 0;

/** The same for a model that may be missing. */
export function useMaybeStore<T extends Observable>(store: T | null): T | null {
	useSyncExternalStore(store?.subscribe ?? never, store?.version ?? zero);
	return store;
}
