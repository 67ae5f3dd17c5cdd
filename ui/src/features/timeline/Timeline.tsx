import { TESTID } from "../../app/testids";
import { useMaybeStore, useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { SessionStore } from "../../model/sessionStore";
import { visible } from "../../model/visible";
import { ExitCard } from "./ExitCard";
import { FilterBar } from "./FilterBar";
import { Grid } from "./Grid";

interface Props {
	session: SessionStore;
	row: SessionRow | null;
	maximised: boolean;
	onMaximise: () => void;
	onOpen: () => void;
	onRestart: (() => void) | undefined;
}

/** The log of a session, live. */
export function Timeline({ session, row, maximised, onMaximise, onOpen, onRestart }: Props) {
	useStore(session);
	const view = useMaybeStore(session.view);
	const total = view?.total ?? 0;
	const logTotal = view?.logTotal ?? 0;
	const showSeq = (seq: number) => {
		onOpen();
		void session.selectSeq(seq);
	};
	return (
		<section className="pane" aria-label="Timeline">
			<FilterBar
				session={session}
				total={total}
				logTotal={logTotal}
				maximised={maximised}
				onMaximise={onMaximise}
			/>
			{session.problem && (
				<div className="strip err" role="alert" data-testid={TESTID.filterProblem}>
					<span className="mono">
						{visible(session.filter.slice(session.problem.from, session.problem.to))}
					</span>
					{session.problem.message}
					<span className="dim">All rows are shown.</span>
				</div>
			)}
			{session.failure && (
				<div className="strip err" role="alert">
					This app cannot read the log: {session.failure}
				</div>
			)}
			<HiddenSelection session={session} />
			{view && <Grid session={session} view={view} onOpen={onOpen} />}
			{view && total === 0 && <Empty session={session} logTotal={logTotal} />}
			{row?.exit && (
				<ExitCard
					exit={row.exit}
					onRestart={onRestart}
					onStderr={() => void session.open("kind:stderr")}
					onSelect={showSeq}
				/>
			)}
		</section>
	);
}

/** The selected record is not among the rows: offered, not forgotten. */
function HiddenSelection({ session }: { session: SessionStore }) {
	const { selected } = session;
	if (!selected || selected.index >= 0) return null;
	return (
		<div className="strip inf">
			#{selected.row.seq} is filtered out
			<button type="button" className="btn sm" onClick={() => void session.open("")}>
				Show
			</button>
		</div>
	);
}

function Empty({ session, logTotal }: { session: SessionStore; logTotal: number }) {
	if (session.filter === "" || logTotal === 0) return <p className="empty dim">No frames yet.</p>;
	return (
		<div className="empty">
			<p>
				No row matches <span className="mono">{visible(session.filter)}</span>.
			</p>
			<div className="acts">
				<button type="button" className="btn sm" onClick={() => void session.open("")}>
					Clear filter <kbd>Esc</kbd>
				</button>
			</div>
		</div>
	);
}
