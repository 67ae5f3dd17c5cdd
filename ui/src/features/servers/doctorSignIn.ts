import type { ServerRow } from "../../ipc/bindings/ServerRow";
import type { AppStore } from "../../model/appStore";
import { words } from "../../model/errors";
import { draftOf, isDirty, type Typed } from "../../model/serverDraft";

/** Signs in to a server that the doctor found to ask for it. A sign-in is of a saved server: what was examined is saved first. */
export function doctorSignIn(
	app: AppStore,
	server: ServerRow | null,
	typed: Typed,
	onFailure: (failure: string | null) => void,
): { label: string; run: () => void } {
	const saved = server && !isDirty(typed, server) ? server : null;
	const run = async () => {
		onFailure(null);
		try {
			const of = saved ?? (await app.saveServer(draftOf(typed, server)));
			app.doctor.close();
			app.edit(of);
			await app.auth.begin(of.id, null, false);
		} catch (error) {
			onFailure(words(error));
		}
	};
	return { label: saved ? "Sign in" : "Save and sign in", run: () => void run() };
}
