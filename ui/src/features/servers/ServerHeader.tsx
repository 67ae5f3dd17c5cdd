import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { DoctorIcon, EditIcon, PlayIcon, RestartIcon, StopIcon } from "../../components/icons";
import { MOD } from "../../components/keys";
import { useNow } from "../../components/useNow";
import { useStore } from "../../components/useStore";
import type { ServerRow } from "../../ipc/bindings/ServerRow";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import { type AppStore, isUp } from "../../model/appStore";
import { dotOf, stateWords } from "../../model/conn";
import { visible } from "../../model/visible";
import { Era } from "./Era";
import css from "./ServerHeader.module.css";
import { TRANSPORT_WORDS, TransportIcon } from "./TransportIcon";

/** The open session in one line: which server, its state, era, process and command, and what can be done. */
export function ServerHeader({ app }: { app: AppStore }) {
	useStore(app);
	const server = app.serverRow;
	const row = app.session;
	if (!server && !row) {
		return (
			<div className={css.topbar}>
				<h1 className="trunc">No server</h1>
			</div>
		);
	}
	const transport = row?.transport ?? server?.transport ?? "stdio";
	const past = row !== null && row.id !== server?.session?.id;
	return (
		<div className={css.topbar}>
			<h1 className="trunc">
				{visible(row?.server_name ?? server?.name ?? "")}
				{past && <span className="dim"> #{row.number}</span>}
			</h1>
			<State row={row} />
			{row && <Era row={row} long />}
			<span className={`sub ${css.transport}`}>
				<TransportIcon of={transport} />
				{TRANSPORT_WORDS[transport]}
				{row?.pid != null && isUp(row) && <span className="dim">pid {row.pid}</span>}
			</span>
			{row && row.origin !== "app" && <span className="tag">{row.origin}</span>}
			{row?.elsewhere && <span className="tag">another process</span>}
			<span className="mono dim trunc grow selectable" title={visible(row?.target ?? server?.target ?? "")}>
				{visible(row?.target ?? server?.target ?? "")}
			</span>
			{server && <Actions key={server.id} app={app} server={server} row={row} />}
		</div>
	);
}

function State({ row }: { row: SessionRow | null }) {
	const now = useNow(1000);
	const conn = row?.conn ?? { state: "idle" as const };
	const { text, detail, tone } = stateWords(conn, now * 1000);
	return (
		<span className={`${css.state} ${tone}`} data-testid={TESTID.connState} data-state={conn.state}>
			<span className={`dot ${dotOf(row)}`} />
			{text}
			{detail !== "" && <span className="dim">{detail}</span>}
		</span>
	);
}

function Actions({ app, server, row }: { app: AppStore; server: ServerRow; row: SessionRow | null }) {
	const live = app.liveOf(server);
	const crashed = row?.conn.state === "closed" && row.conn.crashed;
	if (live && row?.id !== live.id) {
		return (
			<span className={css.acts}>
				<button type="button" className="btn" onClick={() => app.selectSession(live.id)}>
					Show live session
				</button>
			</span>
		);
	}
	if (server.unconfirmed && !live) return null;
	return (
		<span className={css.acts}>
			{live ? (
				<>
					<button
						type="button"
						className="btn"
						title={`${again(server)} (${MOD} Shift R)`}
						data-testid={TESTID.restart}
						onClick={() => void app.restart(server.id)}
					>
						<Icon of={RestartIcon} small />
						{again(server)}
					</button>
					<button
						type="button"
						className="btn"
						data-testid={TESTID.stop}
						onClick={() => void app.disconnect(live.id)}
					>
						<Icon of={StopIcon} small />
						{server.transport === "stdio" ? "Stop" : "Disconnect"}
					</button>
				</>
			) : (
				<>
					{!server.demo && (
						<button
							type="button"
							className="btn ghost ico"
							aria-label="Edit server"
							title="Edit server"
							data-testid={TESTID.editServer}
							onClick={() => app.edit(server)}
						>
							<Icon of={EditIcon} small />
						</button>
					)}
					{!server.demo && row !== null && row.conn.state !== "failed" && (
						<button
							type="button"
							className="btn"
							title="Connects step by step and says what is wrong"
							data-testid={TESTID.doctorRun}
							onClick={() => app.examine(server)}
						>
							<Icon of={DoctorIcon} small />
							Doctor
						</button>
					)}
					<button
						type="button"
						className={row ? "btn" : "btn pri"}
						data-testid={TESTID.connect}
						onClick={() => void app.connect(server.id)}
					>
						<Icon of={crashed ? RestartIcon : PlayIcon} small />
						{crashed ? "Restart" : "Connect"}
					</button>
				</>
			)}
		</span>
	);
}

/** A server that we did not start is not restarted by us. */
function again(server: ServerRow): string {
	return server.transport === "stdio" ? "Restart" : "Reconnect";
}

/** The line above the form of a server. */
export function ServerFormHead({ app }: { app: AppStore }) {
	useStore(app);
	const { editing } = app;
	return (
		<div className={css.topbar}>
			<h1 className="trunc">{editing ? `Edit ${visible(editing.name)}` : "Add server"}</h1>
			{editing && (
				<span className={`sub ${css.transport}`}>
					<TransportIcon of={editing.transport} />
					{TRANSPORT_WORDS[editing.transport]}
				</span>
			)}
		</div>
	);
}
