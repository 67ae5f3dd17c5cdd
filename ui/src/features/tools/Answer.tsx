import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { ToolRow } from "../../ipc/bindings/ToolRow";
import type { AppStore } from "../../model/appStore";
import type { CallStore } from "../../model/calls";
import type { SessionStore } from "../../model/sessionStore";
import { Result } from "./Result";
import { RunningCalls } from "./Running";

interface Props {
	app: AppStore;
	calls: CallStore;
	session: SessionStore;
	row: SessionRow;
	tools: readonly ToolRow[];
}

/** What runs, and what came back. */
export function Answer({ app, calls, session, row, tools }: Props) {
	useStore(calls);
	return (
		<>
			<RunningCalls session={row.id} calls={calls} />
			<Result app={app} calls={calls} session={session} transport={row.transport} tools={tools} />
		</>
	);
}
