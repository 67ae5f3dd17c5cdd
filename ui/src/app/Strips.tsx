import { Icon } from "../components/Icon";
import { CloseIcon, DoctorIcon, ErrorIcon } from "../components/icons";
import { useStore } from "../components/useStore";
import type { SessionRow } from "../ipc/bindings/SessionRow";
import type { AppStore } from "../model/appStore";
import { sentence } from "../model/errors";
import { count, plural } from "../model/format";
import { titleOf } from "../model/sessionList";
import { visible } from "../model/visible";
import { TESTID } from "./testids";

/** What went wrong, over the workspace: on our side, or in connecting. */
export function Strips({ app }: { app: AppStore }) {
	const conn = app.session?.conn;
	const server = app.serverRow;
	return (
		<>
			{app.problem !== null && (
				<div className="strip err" role="alert">
					<Icon of={ErrorIcon} small />
					<span className="grow selectable">{sentence(app.problem)}</span>
					<button
						type="button"
						className="btn ghost sm ico"
						aria-label="Dismiss"
						onClick={() => app.clearProblem()}
					>
						<Icon of={CloseIcon} small />
					</button>
				</div>
			)}
			<Asked app={app} />
			{conn?.state === "failed" && app.page === "session" && (
				<div className="strip err" role="alert">
					<Icon of={ErrorIcon} small />
					<span className="grow selectable">{sentence(conn.message)}</span>
					{server && !server.demo && !server.unconfirmed && (
						<button type="button" className="btn sm" onClick={() => app.examine(server)}>
							<Icon of={DoctorIcon} small />
							Doctor
						</button>
					)}
				</div>
			)}
		</>
	);
}

/** Servers that ask something while something else is looked at. */
function Asked({ app }: { app: AppStore }) {
	const inputs = useStore(app.inputs);
	const drafts = useStore(app.drafts);
	const here = app.page === "session" && drafts.tab === "inputs" ? app.session?.id : null;
	return inputs.sessions().map((id) => {
		const row = app.servers.find((server) => server.session?.id === id)?.session;
		if (id === here || !row) return null;
		return (
			<div key={id} className="strip inf" data-testid={TESTID.inputStrip}>
				<span className="grow">
					{visible(row.server_name)} asks {plural(inputs.of(id).length, "question")} and waits for you.
				</span>
				<button
					type="button"
					className="btn sm"
					onClick={() => {
						app.selectSession(id);
						drafts.showTab("inputs");
					}}
				>
					Answer
				</button>
			</div>
		);
	});
}

/** Over the status bar, whatever is looked at: this app must never pretend to record. */
export function NotRecording({ app }: { app: AppStore }) {
	const newest = [app.session, ...app.servers.map((server) => server.session)].filter((row) => row !== null);
	return [...new Map(newest.map((row) => [row.id, row])).values()].map((row) => (
		<NotRecordingStrip key={row.id} row={row} />
	));
}

function NotRecordingStrip({ row }: { row: SessionRow }) {
	const { conn } = row;
	if (conn.state !== "not-recording") return null;
	return (
		<div className="strip err" role="alert" data-testid={TESTID.notRecording}>
			<Icon of={ErrorIcon} small />
			<span className="selectable">
				<b className="sev-error">This app is not recording</b> {visible(titleOf(row))} since #
				{count(conn.since)}: {conn.why}
			</span>
		</div>
	);
}
