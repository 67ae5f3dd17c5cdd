/** Edit and resend: a frame that went to the server, taken up again where it can be changed. */
import type { EditRow } from "../ipc/bindings/EditRow";
import type { AppStore } from "./appStore";
import { words } from "./errors";

/**
 * Opens a client's frame for editing: a tool call in the Tools tab with its exact arguments, anything else, and what
 * belongs to a tool that is not listed, as raw text in Compose. What went wrong is told by the app's problem.
 */
export async function editAndResend(app: AppStore, session: string, seq: number): Promise<void> {
	try {
		const row = await app.backend.call("edit_record", { session, seq });
		const server = app.server ?? session;
		if (row.tool !== null && (await lists(app, session, row.tool))) {
			app.drafts.preset("tools", server, row.tool, row.arguments ?? "");
		} else {
			app.drafts.compose(server, composed(row));
		}
		const { flags } = await app.backend.call("get_record", { session, seq });
		if (flags.includes("redacted"))
			app.tell(
				`Secrets in frame #${seq} were masked when it was logged. Put their values in before you send it.`,
			);
	} catch (error) {
		app.tell(`This frame cannot be edited. ${words(error)}`);
	}
}

function composed({ text, headers }: EditRow) {
	return { text, headers };
}

/** Whether a session knows a tool; one that is not connected may have no list. */
async function lists(app: AppStore, session: string, tool: string): Promise<boolean> {
	try {
		const { tools } = await app.backend.call("list_catalog", { session, refresh: false });
		return tools.some(({ name }) => name === tool);
	} catch {
		return false;
	}
}
