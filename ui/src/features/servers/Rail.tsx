import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { ClockIcon, PlusIcon } from "../../components/icons";
import { useNow } from "../../components/useNow";
import { useStore } from "../../components/useStore";
import type { ConnState } from "../../ipc/bindings/ConnState";
import type { ServerRow } from "../../ipc/bindings/ServerRow";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import { dotOf } from "../../model/conn";
import { count, when } from "../../model/format";
import { visible } from "../../model/visible";
import { Era } from "./Era";
import css from "./Servers.module.css";
import { TransportIcon } from "./TransportIcon";

/** The servers with their states, and the newest sessions below them. */
export function Rail({ app }: { app: AppStore }) {
	useStore(app);
	const open = app.session?.id ?? null;
	return (
		<nav className={css.rail} aria-label="Servers and sessions">
			<section>
				<h2>
					Servers <span className={css.n}>{count(app.servers.length)}</span>
					<span className="grow" />
					<button
						type="button"
						className={`btn ghost sm ico ${app.adding ? "on" : ""}`}
						aria-label="Add server"
						title="Add server"
						data-testid={TESTID.addServer}
						onClick={() => app.setAdding(!app.adding)}
					>
						<Icon of={PlusIcon} />
					</button>
				</h2>
				<ul>
					{app.servers.map((server) => (
						<ServerItem
							key={server.id}
							server={server}
							on={!app.adding && server.id === app.server && (server.session?.id ?? null) === open}
							onClick={() => app.selectServer(server.id)}
						/>
					))}
				</ul>
				{app.ready && app.servers.length === 0 && (
					<div className="empty">
						<p>No server yet.</p>
						<div className="acts">
							<button type="button" className="btn sm" onClick={() => app.setAdding(true)}>
								Add server
							</button>
						</div>
					</div>
				)}
			</section>
			<section className={css.sessions}>
				<h2>Sessions</h2>
				<ul>
					{app.sessions.map((row) => (
						<SessionItem
							key={row.id}
							row={row}
							on={!app.adding && row.id === open && app.serverRow?.session?.id !== open}
							onClick={() => app.selectSession(row.id)}
						/>
					))}
				</ul>
				{app.ready && app.sessions.length === 0 && <p className="empty dim">Each connection is kept here.</p>}
			</section>
		</nav>
	);
}

function ServerItem({ server, on, onClick }: { server: ServerRow; on: boolean; onClick: () => void }) {
	const row = server.session;
	const state = row?.conn.state ?? "idle";
	const ended = row && endFigure(row.conn);
	return (
		<li>
			<button
				type="button"
				className={`${css.server} ${on ? css.on : ""}`}
				aria-current={on ? "page" : undefined}
				title={visible(server.target)}
				data-testid={TESTID.serverRow}
				data-server={server.id}
				data-state={state}
				onClick={onClick}
			>
				<span className={`dot ${dotOf(row)}`} role="img" aria-label={state} title={state} />
				<span className={`trunc ${css.name}`}>{visible(server.name)}</span>
				<span className={css.figure}>{ended ?? (row && row.records > 0 ? count(row.records) : "")}</span>
				<span className={css.meta}>
					<TransportIcon of={server.transport} />
					<span className="trunc grow">{metaWords(server)}</span>
					{row && <Era row={row} />}
				</span>
			</button>
		</li>
	);
}

/** How it ended, where a figure says that: an exit code, an HTTP status. */
function endFigure(conn: ConnState): string | null {
	if (conn.state === "closed" && conn.crashed) return conn.outcome;
	// A status that says nothing is wrong would say the wrong thing here.
	return conn.state === "failed" && conn.status !== null && conn.status >= 400 ? String(conn.status) : null;
}

function metaWords(server: ServerRow): string {
	const conn = server.session?.conn;
	if (conn?.state === "connecting") return conn.step;
	if (conn?.state === "failed") {
		return `${server.transport}, ${conn.code === "auth_required" ? "needs sign-in" : "failed"}`;
	}
	return server.demo ? "demo, built in" : server.transport;
}

function SessionItem({ row, on, onClick }: { row: SessionRow; on: boolean; onClick: () => void }) {
	const now = useNow(60_000);
	const live = row.conn.state === "connected" || row.conn.state === "connecting";
	const crashed = row.conn.state === "closed" && row.conn.crashed;
	return (
		<li>
			<button
				type="button"
				className={`${css.session} ${on ? css.on : ""}`}
				aria-current={on ? "page" : undefined}
				title={visible(row.target)}
				data-testid={TESTID.sessionRow}
				data-session={row.id}
				data-origin={row.origin}
				onClick={onClick}
			>
				{live || crashed ? (
					<span className={css.dotBox}>
						<span className={`dot ${dotOf(row)}`} role="img" aria-label={live ? "live" : "crashed"} />
					</span>
				) : (
					<Icon of={ClockIcon} small />
				)}
				<span className="trunc">
					{row.name === null ? `${visible(row.server_name)} #${row.number}` : visible(row.name)}
				</span>
				{row.origin !== "app" && <span className="tag">{row.origin}</span>}
				<span className={css.time}>{when(row.started_us, now * 1000)}</span>
			</button>
		</li>
	);
}
