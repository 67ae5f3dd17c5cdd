import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { JsonInline } from "../../components/JsonInline";
import type { Backend } from "../../ipc/backend";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { CallStore } from "../../model/calls";
import { count } from "../../model/format";
import type { SessionStore } from "../../model/sessionStore";
import { visible } from "../../model/visible";
import { Result } from "./Result";
import { Running } from "./Running";
import css from "./Tools.module.css";
import type { Preview } from "./usePreview";

interface Props {
	backend: Backend;
	calls: CallStore;
	session: SessionStore;
	row: SessionRow;
	preview: Preview;
}

/** The question above the answer: what will be sent, what runs, what came back. */
export function WirePane({ backend, calls, session, row, preview }: Props) {
	return (
		<div className="pane">
			<WillSend preview={preview} stdio={row.transport === "stdio"} />
			{calls.running(row.id).map((call) => (
				<Running key={call.seq} call={call} calls={calls} />
			))}
			<Result backend={backend} calls={calls} session={session} transport={row.transport} />
		</div>
	);
}

function WillSend({ preview: { row, failure }, stdio }: { preview: Preview; stdio: boolean }) {
	return (
		<>
			<header className="phead">
				<h3>Will send</h3>
				{row && (
					<span className="mono dim">
						id {visible(row.id)} · {count(row.size)} B{stdio && " + LF"}
					</span>
				)}
				<span className="grow" />
				{row && <CopyButton text={() => row.text} label="Copy the frame" />}
			</header>
			<div className={css.send} data-testid={TESTID.willSend}>
				{row ? (
					<code>
						<JsonInline text={row.text} />
					</code>
				) : (
					<span className="dim xs">{failure ?? "Choose a tool to see the exact frame."}</span>
				)}
			</div>
		</>
	);
}
