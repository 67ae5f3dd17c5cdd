import { useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import type { ConnState } from "../../ipc/bindings/ConnState";
import type { ServerRow } from "../../ipc/bindings/ServerRow";
import { type AppStore, isUp } from "../../model/appStore";
import { needsSignIn } from "../../model/auth";
import { dotOf } from "../../model/conn";
import { count } from "../../model/format";
import { visible } from "../../model/visible";
import { Era } from "./Era";
import css from "./Rail.module.css";
import { type ServerAction, ServerMenu } from "./ServerMenu";
import { TRANSPORT_WORDS, TransportIcon } from "./TransportIcon";

interface Props {
	app: AppStore;
	server: ServerRow;
	on: boolean;
	/** The rail's one tab stop. */
	tabStop: boolean;
	/** The rail shows dots alone. */
	collapsed: boolean;
}

/** A server with its state; what can be done with it is in its menu. */
export function ServerItem({ app, server, on, tabStop, collapsed }: Props) {
	const [asking, setAsking] = useState(false);
	const item = useRef<HTMLLIElement>(null);
	const row = server.session;
	const state = row?.conn.state ?? "idle";
	if (asking && !collapsed) {
		return (
			<DeleteQuestion
				name={server.name}
				onDelete={() => void app.deleteServer(server.id)}
				onKeep={() => setAsking(false)}
			/>
		);
	}
	const actions = actionsOf(app, server, () => setAsking(true));
	const ended = row && endFigure(row.conn);
	return (
		<li ref={item}>
			<ServerMenu actions={actions} container={item}>
				<button
					type="button"
					className={`${css.server} ${on ? css.on : ""}`}
					aria-current={on ? "page" : undefined}
					title={`${collapsed ? `${visible(server.name)}, ${state}: ` : ""}${visible(server.target)}`}
					tabIndex={tabStop ? 0 : -1}
					data-rail
					data-testid={TESTID.serverRow}
					data-server={server.id}
					data-state={state}
					onClick={() => app.selectServer(server.id)}
					onKeyDown={(event) => {
						if (event.ctrlKey || event.metaKey || event.altKey) return;
						const action = actions.find(({ key }) => key === event.key);
						if (!action) return;
						event.preventDefault();
						action.run();
					}}
				>
					<span className={`dot ${dotOf(row)}`} role="img" aria-label={state} title={state} />
					<span className={`trunc ${css.name}`}>
						{collapsed ? visible(server.name).slice(0, 2) : visible(server.name)}
					</span>
					{!collapsed && (
						<>
							<span className={css.figure}>
								{ended ?? (row && row.records > 0 ? count(row.records) : "")}
							</span>
							<span className={css.meta}>
								<TransportIcon of={server.transport} />
								<span className="trunc grow">{metaWords(server)}</span>
								{row && <Era row={row} />}
							</span>
						</>
					)}
				</button>
			</ServerMenu>
		</li>
	);
}

function actionsOf(app: AppStore, server: ServerRow, ask: () => void): ServerAction[] {
	const live = server.session && isUp(server.session) ? server.session : null;
	const stdio = server.transport === "stdio";
	const actions: ServerAction[] = live
		? [
				{ name: stdio ? "Stop" : "Disconnect", key: "c", run: () => void app.disconnect(live.id) },
				{ name: stdio ? "Restart" : "Reconnect", key: "r", run: () => void app.restart(server.id) },
			]
		: [{ name: "Connect", key: "c", run: () => void app.connect(server.id) }];
	if (server.demo) return actions;
	return [
		...actions,
		{ name: "Edit", key: "e", run: () => app.edit(server) },
		{ name: "Duplicate", key: "d", run: () => void app.duplicateServer(server.id) },
		{ name: "Delete", key: "Delete", danger: true, run: ask },
	];
}

/** Asked where the server stands: never a modal. */
function DeleteQuestion(props: { name: string; onDelete: () => void; onKeep: () => void }) {
	const { name, onDelete, onKeep } = props;
	return (
		<li
			className={css.question}
			onKeyDown={(event) => {
				if (event.key !== "Escape") return;
				event.preventDefault();
				onKeep();
			}}
		>
			<span className={css.words} role="alert">
				Delete {visible(name)}? Its sessions stay.
			</span>
			<span className={css.answers}>
				<button type="button" className="btn sm danger" data-testid={TESTID.deleteConfirm} onClick={onDelete}>
					Delete server
				</button>
				{/* biome-ignore lint/a11y/noAutofocus: the question takes the focus that the server had; the harmless answer has it */}
				<button type="button" className="btn sm" autoFocus onClick={onKeep}>
					Keep
				</button>
			</span>
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
	const words = TRANSPORT_WORDS[server.transport];
	if (server.unconfirmed) return `${words}, pasted`;
	if (conn?.state === "connecting") return conn.step;
	if (conn?.state === "failed") {
		return `${words}, ${needsSignIn(conn) ? "needs sign-in" : "failed"}`;
	}
	return server.demo ? "demo, built in" : words;
}
