import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { ToolRow } from "../../ipc/bindings/ToolRow";
import type { AppStore } from "../../model/appStore";
import type { CallStore } from "../../model/calls";
import type { Marks } from "../../model/frameText";
import type { SessionStore } from "../../model/sessionStore";
import { Answer } from "./Answer";
import { BothPane } from "./BothPane";
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
	marks: Marks;
}

/** The question above the answer: what will be sent, what runs, what came back. */
export function WirePane({ app, calls, session, row, tools, preview, marks }: Props) {
	const server = app.server ?? row.id;
	const both = useStore(app.bothEras).of(server);
	return (
		<div className="pane">
			<WillSend preview={preview ?? NOTHING} stdio={row.transport === "stdio"} marks={marks} />
			{both ? (
				<BothPane app={app} server={server} call={both} />
			) : (
				<Answer app={app} calls={calls} session={session} row={row} tools={tools} />
			)}
		</div>
	);
}

const NOTHING: Preview = { row: null, failure: null };
