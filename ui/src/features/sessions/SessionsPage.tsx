import { useCallback, useEffect, useMemo, useRef } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { CloseIcon } from "../../components/icons";
import { Split } from "../../components/Split";
import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import { sentence } from "../../model/errors";
import { plural } from "../../model/format";
import type { SearchStore } from "../../model/search";
import { type SessionList, sorted, titleOf } from "../../model/sessionList";
import type { Settings } from "../../model/settings";
import { visible } from "../../model/visible";
import { LockedFiles } from "./LockedFiles";
import { Matches } from "./Matches";
import { QueryBar } from "./QueryBar";
import { SessionGrid } from "./SessionGrid";
import css from "./Sessions.module.css";

const PANES = ["list", "matches"] as const;

/** All sessions that are kept, and the search through their records. */
export function SessionsPage({ app, settings }: { app: AppStore; settings: Settings }) {
	const { list, search } = app;
	useStore(list);
	useStore(search);
	useStore(settings);
	const grid = useRef<HTMLDivElement>(null);
	const input = useRef<HTMLInputElement>(null);
	useEffect(() => list.want(), [list]);
	useEffect(() => grid.current?.focus(), []);
	const rows = useRows(list, search);
	const open = useCallback((id: string, seq?: number) => void app.showSession(id, seq ?? null), [app]);
	const remove = useCallback((ids: string[]) => void deleteSessions(app, ids), [app]);
	const onExport = useCallback((ids: string[]) => void app.exporting.open(ids), [app]);
	const table = (
		<div className={`pane ${css.pane} ${list.loading ? css.loading : ""}`}>
			<SessionGrid
				list={list}
				rows={rows}
				settings={settings}
				grid={grid}
				onOpen={open}
				onDelete={remove}
				onExport={onExport}
			/>
			{list.ready && rows.length === 0 && <Empty app={app} />}
		</div>
	);
	return (
		<div className={css.page}>
			<QueryBar list={list} search={search} input={input} onLeave={() => grid.current?.focus()} />
			<Strips list={list} />
			<LockedFiles list={list} />
			<div className={css.fill}>
				{search.query === null ? (
					table
				) : (
					<Split
						direction="vertical"
						label="Resize matches"
						layout={settings.layout("sessions", PANES)}
						onLayout={(layout) => settings.setLayout("sessions", layout)}
						panes={[
							{ id: "list", size: "50%", min: "110px", children: table },
							{
								id: "matches",
								size: "50%",
								min: "110px",
								children: <Matches search={search} onOpen={open} onClose={() => search.clear()} />,
							},
						]}
					/>
				)}
			</div>
		</div>
	);
}

/** The sessions that match by themselves, and those with a record that does, in the order asked for. */
function useRows(list: SessionList, search: SearchStore): SessionRow[] {
	const { rows, sort } = list;
	const found = search.groups.map((group) => group.row);
	const named = found.filter((row) => row !== null).length;
	// biome-ignore lint/correctness/useExhaustiveDependencies: groups change in place; their number and names tell
	return useMemo(() => {
		const ids = new Set(rows.map((row) => row.id));
		const more = found.filter((row) => row !== null && !ids.has(row.id)) as SessionRow[];
		return sorted([...rows, ...more], sort, Date.now() * 1000);
	}, [rows, sort, named, found.length]);
}

/** Deletes sessions and offers to take that back. */
export async function deleteSessions(app: AppStore, ids: string[]): Promise<void> {
	const { list } = app;
	if (ids.length === 0) return;
	const next = list.rows.find((row) => !ids.includes(row.id))?.id ?? null;
	const live = list.rows.find((row) => ids.includes(row.id) && row.ended_us === null);
	await list.attempt(async () => {
		// Before any of the others is gone.
		if (live)
			throw new Error(`${visible(titleOf(live))} is being recorded: stop it first. Nothing was deleted.`);
		await app.deleteSessions(ids);
		list.check(ids, false);
		if (list.current !== null && ids.includes(list.current)) list.choose(next);
		list.tell({ text: `${plural(ids.length, "session")} deleted, kept in the trash for 7 days`, undo: ids });
	});
}

/** What went wrong, and what was done last. */
function Strips({ list }: { list: SessionList }) {
	const { problem, failure, told } = list;
	return (
		<>
			{problem && (
				<div className="strip err" role="alert" data-testid={TESTID.queryProblem}>
					<span className="mono">{visible(list.query.slice(problem.from, problem.to))}</span>
					{problem.message} <span className="dim">All sessions are shown.</span>
				</div>
			)}
			{failure !== null && (
				<div className="strip err" role="alert">
					<span className="grow selectable">{sentence(failure)}</span>
				</div>
			)}
			{told && (
				<div className="strip inf" role="status" data-testid={TESTID.told}>
					<span className="grow selectable trunc">{visible(told.text)}</span>
					{told.undo.length > 0 && (
						<button
							type="button"
							className="btn sm"
							data-testid={TESTID.undo}
							onClick={() => void list.restore()}
						>
							Undo
						</button>
					)}
					<button
						type="button"
						className="btn ghost sm ico"
						aria-label="Dismiss"
						onClick={() => list.tell(null)}
					>
						<Icon of={CloseIcon} small />
					</button>
				</div>
			)}
		</>
	);
}

function Empty({ app }: { app: AppStore }) {
	const { list, search } = app;
	if (list.kept === 0) {
		return (
			<div className="empty">
				<p>Nothing has been recorded yet: each connection is kept here.</p>
				<div className="acts">
					<button type="button" className="btn sm" onClick={() => app.edit(null)}>
						Add server
					</button>
				</div>
			</div>
		);
	}
	return (
		<div className="empty">
			<p>
				No session matches <span className="mono">{visible(list.query)}</span>.
			</p>
			<div className="acts">
				<button type="button" className="btn sm" onClick={() => void list.find("")}>
					Clear filter
				</button>
				{search.query !== list.query && (
					<button type="button" className="btn ghost sm" onClick={() => void search.start(list.query)}>
						Search all records
					</button>
				)}
			</div>
		</div>
	);
}
