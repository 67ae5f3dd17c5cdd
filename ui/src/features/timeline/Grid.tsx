import { type MouseEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { TailIcon } from "../../components/icons";
import { useNow } from "../../components/useNow";
import { useStore } from "../../components/useStore";
import { useWindow } from "../../components/useWindow";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import { clockOf, count } from "../../model/format";
import { pairOf, waits } from "../../model/rows";
import type { SessionStore } from "../../model/sessionStore";
import type { Settings, Widths } from "../../model/settings";
import type { ViewStore } from "../../model/viewStore";
import { type Column, layoutOf } from "./columns";
import { Head } from "./Head";
import { toggleRounds } from "./RoundLead";
import { Row } from "./Row";
import { RowMenu } from "./RowMenu";
import { rowActions } from "./rowActions";
import type { Actions } from "./Timeline";
import css from "./Timeline.module.css";
import { useFolds } from "./useFolds";
import { useGridKeys } from "./useGridKeys";
import { stretch } from "./waterfall";

interface Props {
	session: SessionStore;
	view: ViewStore;
	settings: Settings;
	/** When the session began, microseconds since the epoch. */
	startUs: number;
	/** Records may still come, so that what waits goes on waiting. */
	live: boolean;
	actions: Actions;
}

/** How often a waiting request's time and span grow, milliseconds. */
const TICK = 250;

/** The rows: a window over the view, drawn as far as it is in sight. */
export function Grid({ session, view, settings, startUs, live, actions }: Props) {
	useStore(view);
	useStore(settings);
	const rounds = useStore(session.rounds);
	const { selected, follow } = session;
	const folds = useFolds(session, view);
	const total = folds.shown(view.total);
	const onFollow = useCallback((on: boolean) => session.setFollow(on), [session]);
	const window = useWindow(total, follow, onFollow);
	const fresh = useFresh(view.total, follow);
	const grid = useRef<HTMLDivElement | null>(null);
	const [first, end] = [folds.toIndex(window.from), folds.toIndex(Math.max(0, window.to - 1)) + 1];
	useEffect(() => view.want(first, end), [view, first, end]);

	const select = useCallback(
		(index: number) => {
			session.selectIndex(index);
			session.show({ detail: true });
		},
		[session],
	);
	const fold = useCallback((seq: number) => void toggleRounds(session, seq), [session]);
	useGridKeys({ session, view, window, folds, grid, actions });

	const { layout, onWidth, onReset } = useColumns(settings, view.logTotal);
	const clock = useMemo(() => clockOf(settings.timeFormat, startUs), [settings.timeFormat, startUs]);
	const indexes = Array.from({ length: window.to - window.from }, (_, i) => folds.toIndex(window.from + i));
	const rows = indexes.map((index) => view.row(index));
	const ticking = live && rows.some((row) => row && waits(row));
	const now = useNow(TICK, ticking) * 1000;
	const time = stretch(rows, ticking ? now : null);
	const peer = selected ? pairOf(selected.row) : null;
	const menu = useMenuTarget(session, view);
	return (
		<div className={css.holder}>
			<RowMenu
				target={menu.target}
				actions={menu.target ? rowActions(session, menu.target.row, actions) : []}
				onTerm={(term) => session.narrow(term)}
				grid={grid}
			>
				<div
					ref={(node) => {
						grid.current = node;
						return window.ref(node);
					}}
					className={css.grid}
					style={{ "--cols": layout.template, "--least": `${layout.least}px`, "--span": layout.span }}
					onScroll={window.onScroll}
					onContextMenu={menu.aim}
					role="grid"
					aria-label="Frames"
					aria-rowcount={total + 1}
					aria-activedescendant={selected && selected.index >= 0 ? `row-${selected.row.seq}` : undefined}
					tabIndex={0}
					data-testid={TESTID.timeline}
					data-total={total}
				>
					<Head layout={layout} stretch={time} clock={clock} onWidth={onWidth} onReset={onReset} />
					<div className={css.rows} style={{ height: window.height }} role="rowgroup">
						{rows.map((row, i) => {
							const shown = window.from + i;
							return (
								row && (
									<Row
										key={row.seq}
										row={row}
										index={indexes[i] ?? shown}
										shown={shown}
										top={window.topOf(shown)}
										selected={row.seq === selected?.row.seq}
										peer={row.seq === peer}
										has={layout.has}
										clock={clock}
										stretch={time}
										now={ticking && waits(row) ? now : null}
										lead={rounds.lead(row.seq)}
										onSelect={select}
										onFold={fold}
									/>
								)
							);
						})}
					</div>
				</div>
			</RowMenu>
			{fresh > 0 && (
				<button
					type="button"
					className={`btn pri sm ${css.fresh}`}
					title="Go to the tail and follow it (G)"
					data-testid={TESTID.newRows}
					onClick={() => session.setFollow(true)}
				>
					{count(fresh)} new <Icon of={TailIcon} small />
				</button>
			)}
		</div>
	);
}

/** The layout under the kept widths, and under the one that is being dragged. */
function useColumns(settings: Settings, logTotal: number) {
	const [dragged, setDragged] = useState<Widths>({});
	const widths = settings.widths("timeline");
	const layout = layoutOf({ ...widths, ...dragged }, logTotal);
	const onWidth = ({ id }: Column, width: number, done: boolean) => {
		setDragged(done ? {} : { [id]: width });
		if (done) settings.setWidths("timeline", { ...widths, [id]: width });
	};
	const onReset = ({ id }: Column) => {
		const { [id]: _, ...others } = widths;
		settings.setWidths("timeline", others);
	};
	return { layout, onWidth, onReset };
}

/** What the menu is about: the cell under the pointer, or the selected row where it was asked for by key. */
function useMenuTarget(session: SessionStore, view: ViewStore) {
	const [target, setTarget] = useState<{ row: RecordRow; column: string | null } | null>(null);
	const aim = (event: MouseEvent) => {
		const element = event.target instanceof Element ? event.target : null;
		const index = element?.closest<HTMLElement>("[data-index]")?.dataset.index;
		const under = index === undefined ? undefined : view.row(Number(index));
		const row = under ?? session.selected?.row;
		if (!row) {
			event.preventDefault();
			event.stopPropagation();
			return;
		}
		// A key asks at the row itself, the pointer at one of its cells.
		const column = element?.closest<HTMLElement>("[data-column]")?.dataset.column ?? null;
		setTarget({ row, column });
	};
	return { target, aim };
}

/** Rows that came since the end was left. */
function useFresh(total: number, follow: boolean): number {
	const [seen, setSeen] = useState(total);
	if (follow && seen !== total) setSeen(total);
	if (!follow && seen > total) setSeen(total);
	return follow ? 0 : total - seen;
}

export type GridRef = RefObject<HTMLDivElement | null>;
