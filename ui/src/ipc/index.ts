/** Chooses the host: the real one under Tauri; in a browser, while developing, the one that plays a session. */
import type { Backend } from "./backend";
import { tauri } from "./tauri";

export async function connectBackend(): Promise<Backend> {
	if (import.meta.env.MODE !== "production" && !("__TAURI_INTERNALS__" in window)) {
		const { FakeBackend } = await import("./fake");
		return new FakeBackend(new URLSearchParams(location.search));
	}
	return tauri;
}
