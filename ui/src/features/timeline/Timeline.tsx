import { useEffect, useRef } from "react";
import { TESTID } from "../../app/testids";
import { useMaybeStore, useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import { count } from "../../model/format";
import type { SessionStore } from "../../model/sessionStore";
import type { Settings } from "../../model/settings";
import type { ViewStore } from "../../model/viewStore";
import { visible } from "../../model/visible";
import { ExitCard } from "./ExitCard";
import { FilterBar } from "./FilterBar";
import { Grid } from "./Grid";
import css from "./Timeline.module.css";
import { useWholeRows } from "./useWholeRows";

/** What the timeline asks of the app. */
export interface Actions {
	onMaximise: () => void;
	/** Starts the server anew; missing where that is not possible. */
	onRestart: (() => void) | undefined;
	/** Takes a frame of the client up again to change and send it. */
	onEdit: (seq: number) => void;
	/** Cancels a request that waits; the newest one where none is named. */
	onCancel: (seq: number | null) => void;
	onExport: () => void;
	/** Looks for what the filter says in all sessions. */
	onSearchAll: (filter: string) => void;
}

interface Props {
	session: SessionStore;
	row: SessionRow | null;
	settings: Settings;
	maximised: boolean;
	actions: Actions;
}

/** The log of a session, live. */
export function Timeline({ session, row, settings, maximised, actions }: Props) {
	useStore(session);
	const view = useMaybeStore(session.view);
	const area = useRef<HTMLDivElement>(null);
	const below = useRef<HTMLDivElement>(null);
	useWholeRows(area, below);
	const { rounds } = session;
	const legacy = row?.era === "legacy";
	// Only the modern era has rounds.
	useEffect(() => (legacy ? undefined : rounds.start()), [rounds, legacy]);
	const total = view?.total ?? 0;
	const logTotal = view?.logTotal ?? 0;
	const showSeq = (seq: number) => {
		session.show({ detail: true });
		void session.selectSeq(seq);
	};
	return (
		<section className="pane" aria-label="Timeline">
			<FilterBar
				session={session}
				settings={settings}
				total={total}
				logTotal={logTotal}
				maximised={maximised}
				actions={actions}
			/>
			<div className={css.loading} data-loading={session.loading || undefined} />
			<Problems session={session} view={view} />
			<HiddenSelection session={session} />
			<div ref={area} className={css.area}>
				{view && (
					<Grid
						session={session}
						view={view}
						settings={settings}
						startUs={row?.started_us ?? 0}
						live={row?.conn.state === "connected"}
						actions={actions}
					/>
				)}
				<div ref={below}>
					{view && total === 0 && <Empty session={session} logTotal={logTotal} actions={actions} />}
					{row?.exit && (
						<ExitCard
							exit={row.exit}
							open={session.dock.card}
							onToggle={() => session.show({ card: !session.dock.card })}
							onRestart={actions.onRestart}
							onStderr={() => void session.open("kind:stderr")}
							onSelect={showSeq}
						/>
					)}
				</div>
			</div>
		</section>
	);
}

function Problems({ session, view }: { session: SessionStore; view: ViewStore | null }) {
	const { problem, failure, filter } = session;
	return (
		<>
			{problem && (
				<div className="strip err" role="alert" data-testid={TESTID.filterProblem}>
					<span className="mono">{visible(filter.slice(problem.from, problem.to))}</span>
					{problem.message}
					<span className="dim">All rows are shown.</span>
				</div>
			)}
			{failure && (
				<div className="strip err" role="alert">
					This app cannot read the log: {failure}
				</div>
			)}
			{view && view.failure !== null && (
				<div className="strip err" role="alert">
					<span className="grow selectable">This app cannot read rows of the log: {view.failure}</span>
					<button type="button" className="btn sm" onClick={() => view.retry()}>
						Try again
					</button>
				</div>
			)}
		</>
	);
}

/** The selected record is not among the rows: offered, not forgotten. */
function HiddenSelection({ session }: { session: SessionStore }) {
	const { selected } = session;
	if (!selected || selected.index >= 0) return null;
	return (
		<div className="strip inf">
			#{count(selected.row.seq)} is filtered out
			<button type="button" className="btn sm" onClick={() => void session.open("")}>
				Show
			</button>
		</div>
	);
}

interface EmptyProps {
	session: SessionStore;
	logTotal: number;
	actions: Actions;
}

function Empty({ session, logTotal, actions }: EmptyProps) {
	const { filter } = session;
	if (filter === "" || logTotal === 0) return <p className="empty dim">No frames yet.</p>;
	return (
		<div className="empty">
			<p>
				No row matches <span className="mono">{visible(filter)}</span>.
			</p>
			<div className="acts">
				<button type="button" className="btn sm" onClick={() => void session.open("")}>
					Clear filter <kbd>Esc</kbd>
				</button>
				<button type="button" className="btn ghost sm" onClick={() => actions.onSearchAll(filter)}>
					Search all sessions
				</button>
			</div>
		</div>
	);
}
