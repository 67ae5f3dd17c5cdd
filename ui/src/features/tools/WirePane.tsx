import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { ToolRow } from "../../ipc/bindings/ToolRow";
import type { AppStore } from "../../model/appStore";
import type { CallStore } from "../../model/calls";
import type { SessionStore } from "../../model/sessionStore";
import { Answer } from "./Answer";
import type { Preview } from "./usePreview";
import { WillSend } from "./WillSend";

interface Props {
	app: AppStore;
	calls: CallStore;
	session: SessionStore;
	row: SessionRow;
	tools: readonly ToolRow[];
	/** Null where there is nothing to send. */
	preview: Preview | null;
	failing: readonly string[];
}

/** The question above the answer: what will be sent, what runs, what came back. */
export function WirePane({ app, calls, session, row, tools, preview, failing }: Props) {
	return (
		<div className="pane">
			<WillSend preview={preview ?? NOTHING} stdio={row.transport === "stdio"} failing={failing} />
			<Answer app={app} calls={calls} session={session} row={row} tools={tools} />
		</div>
	);
}

const NOTHING: Preview = { row: null, failure: null };
