import { type KeyboardEvent, useRef } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { ClockIcon, ListIcon, PlusIcon, SettingsIcon } from "../../components/icons";
import { MOD } from "../../components/keys";
import { useNow } from "../../components/useNow";
import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import { dotOf } from "../../model/conn";
import { count, when } from "../../model/format";
import { titleOf } from "../../model/sessionList";
import { visible } from "../../model/visible";
import css from "./Rail.module.css";
import { ServerItem } from "./ServerItem";

/** The servers with their states, the newest sessions, and the way to all sessions and the settings. */
export function Rail({ app, collapsed }: { app: AppStore; collapsed: boolean }) {
	useStore(app);
	const nav = useRef<HTMLElement>(null);
	const on = currentOf(app);
	const known = app.servers.some((server) => on === `server ${server.id}`) || !on.startsWith("server");
	const tabStop = known ? on : `server ${app.servers[0]?.id ?? ""}`;
	return (
		<nav
			ref={nav}
			className={`${css.rail} ${collapsed ? css.collapsed : ""}`}
			aria-label="Servers and sessions"
			onKeyDown={(event) => walk(event, nav.current)}
		>
			<section>
				<h2>
					{!collapsed && (
						<>
							Servers <span className={css.n}>{count(app.servers.length)}</span>
							<span className="grow" />
						</>
					)}
					<button
						type="button"
						className={`btn ghost sm ico ${app.page === "server" && !app.editing ? "on" : ""}`}
						aria-label="Add server"
						title="Add server"
						data-testid={TESTID.addServer}
						onClick={() => app.edit(null)}
					>
						<Icon of={PlusIcon} />
					</button>
				</h2>
				<ul>
					{app.servers.map((server) => (
						<ServerItem
							key={server.id}
							app={app}
							server={server}
							on={on === `server ${server.id}`}
							tabStop={tabStop === `server ${server.id}`}
							collapsed={collapsed}
						/>
					))}
				</ul>
				{app.ready && app.servers.length === 0 && !collapsed && (
					<div className="empty">
						<p>No server yet.</p>
						<div className="acts">
							<button type="button" className="btn sm" onClick={() => app.edit(null)}>
								Add server
							</button>
						</div>
					</div>
				)}
			</section>
			{/* Room is given to what is there: the rows below a list that comes would jump. */}
			<section className={css.sessions} hidden={!app.ready}>
				{!collapsed && (
					<>
						<h2>
							Sessions <span className={css.n}>{count(app.kept)}</span>
							<span className="grow" />
							<kbd title="All sessions: g, then s">G S</kbd>
						</h2>
						<ul>
							{app.sessions.map((row) => (
								<SessionItem
									key={row.id}
									row={row}
									on={on === `session ${row.id}`}
									onClick={() => app.selectSession(row.id)}
								/>
							))}
						</ul>
						{app.ready && app.sessions.length === 0 && (
							<p className="empty dim">Each connection is kept here.</p>
						)}
					</>
				)}
				<button
					type="button"
					className={`${css.session} ${on === "sessions" ? css.on : ""}`}
					aria-current={on === "sessions" ? "page" : undefined}
					title="All sessions (g s)"
					tabIndex={tabStop === "sessions" ? 0 : -1}
					data-rail
					data-testid={TESTID.allSessions}
					onClick={() => app.show("sessions")}
				>
					<Icon of={ListIcon} small />
					{!collapsed && "All sessions"}
				</button>
			</section>
			<section className={css.foot}>
				<button
					type="button"
					className={`${css.session} ${on === "settings" ? css.on : ""}`}
					aria-current={on === "settings" ? "page" : undefined}
					title={`Settings (${MOD} ,)`}
					tabIndex={tabStop === "settings" ? 0 : -1}
					data-rail
					data-testid={TESTID.settings}
					onClick={() => app.show("settings")}
				>
					<Icon of={SettingsIcon} small />
					{!collapsed && (
						<>
							Settings
							<kbd className={css.end}>{MOD} ,</kbd>
						</>
					)}
				</button>
			</section>
		</nav>
	);
}

/** What is on the screen, as the rail names it. */
function currentOf(app: AppStore): string {
	if (app.page === "sessions" || app.page === "settings") return app.page;
	if (app.page === "app-log") return "settings";
	if (app.page === "server") return `server ${app.editing?.id ?? ""}`;
	const open = app.session?.id ?? null;
	return open === (app.serverRow?.session?.id ?? null) ? `server ${app.server}` : `session ${open}`;
}

/** Arrows go through the rail's rows. */
function walk(event: KeyboardEvent, nav: HTMLElement | null): void {
	const rows = [...(nav?.querySelectorAll<HTMLElement>("[data-rail]") ?? [])];
	const at = rows.indexOf(event.target as HTMLElement);
	if (at < 0) return;
	const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
	const row = to === undefined ? undefined : rows[to];
	if (!row) return;
	event.preventDefault();
	row.focus();
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
				tabIndex={on ? 0 : -1}
				data-rail
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
				<span className="trunc">{visible(titleOf(row))}</span>
				{row.origin !== "app" && <span className="tag">{row.origin}</span>}
				<span className={css.time}>{when(row.started_us, now * 1000)}</span>
			</button>
		</li>
	);
}
