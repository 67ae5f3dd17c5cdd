import { Icon } from "../components/Icon";
import { CloseIcon, DoctorIcon, ErrorIcon, SecretIcon } from "../components/icons";
import { useStore } from "../components/useStore";
import { SignInCard } from "../features/auth/SignInCard";
import { Unlock } from "../features/secrets/Unlock";
import type { ServerRow } from "../ipc/bindings/ServerRow";
import type { SessionRow } from "../ipc/bindings/SessionRow";
import type { AppStore } from "../model/appStore";
import { needsSignIn } from "../model/auth";
import { sentence } from "../model/errors";
import { count, plural } from "../model/format";
import { titleOf } from "../model/sessionList";
import { visible } from "../model/visible";
import { TESTID } from "./testids";

/** What went wrong, over the workspace: on our side, or in connecting. */
export function Strips({ app }: { app: AppStore }) {
	const { session, serverRow: server, page } = app;
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
			{app.problem !== null && server && !app.liveOf(server) && <Locked app={app} server={server} />}
			<Asked app={app} />
			{session && page === "session" && <Failed app={app} session={session} server={server} />}
		</>
	);
}

/** What a server that is to be connected may lack: also where that was refused before there was a session. */
function Locked({ app, server }: { app: AppStore; server: ServerRow }) {
	const secrets = useStore(app.secrets);
	if (!secrets.row?.locked) return null;
	const connect = () => {
		app.clearProblem();
		void app.connect(server.id);
	};
	return (
		<div className="strip warn" data-testid={TESTID.unlockStrip}>
			<Icon of={SecretIcon} small />
			<span className="grow">The file of secrets is locked: no server gets a secret that is in it.</span>
			<Unlock store={secrets} verb="Unlock and connect" onDone={connect} />
		</div>
	);
}

interface FailedProps {
	app: AppStore;
	session: SessionRow;
	server: ServerRow | null;
}

/** Why a connection was not made; of the newest session of a server that asks for a sign-in, how to sign in. */
function Failed({ app, session, server }: FailedProps) {
	const auth = useStore(app.auth);
	const { conn } = session;
	if (conn.state !== "failed") return null;
	const asks = server !== null && server.session?.id === session.id && needsSignIn(conn);
	const card = asks && (
		<SignInCard key={server.id} app={app} server={server} session={session} message={conn.message} />
	);
	if (asks && auth.of(server.id)?.applies) return card;
	return (
		<>
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
			{server && app.problem === null && <Locked app={app} server={server} />}
			{card}
		</>
	);
}

/** Servers that ask something while something else is looked at. */
function Asked({ app }: { app: AppStore }) {
	const inputs = useStore(app.inputs);
	const drafts = useStore(app.drafts);
	const here = app.page === "session" && drafts.tab === "inputs" ? app.session?.id : null;
	return inputs.sessions().map((id) => {
		const row = [...app.sessions, ...app.servers.map(({ session }) => session)].find((one) => one?.id === id);
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
				{count(conn.since)}: {conn.why}. The connection is closed; what came before is kept. Connect again
				once this app can write again.
			</span>
		</div>
	);
}
