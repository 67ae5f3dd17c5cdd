import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { ColumnGrip, clampWidth } from "../../components/ColumnGrip";
import { useNow } from "../../components/useNow";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { SessionList, SortKey } from "../../model/sessionList";
import type { Settings, Widths } from "../../model/settings";
import { COLUMNS, templateOf } from "./columns";
import { type Editing, SessionLine } from "./SessionLine";
import css from "./Sessions.module.css";
import { useListKeys } from "./useListKeys";

/** Height of a row, as `--row` says. */
const ROW = 22;

interface Props {
	list: SessionList;
	/** In the order shown. */
	rows: readonly SessionRow[];
	settings: Settings;
	grid: RefObject<HTMLDivElement | null>;
	onOpen: (id: string) => void;
	onDelete: (ids: string[]) => void;
	onExport: (ids: string[]) => void;
}

/** The sessions as a table: a window over as many as there are. */
export function SessionGrid({ list, rows, settings, grid, onOpen, onDelete, onExport }: Props) {
	const live = useMemo(() => rows.some((row) => row.ended_us === null), [rows]);
	const now = useNow(1000, live);
	const [editing, setEditing] = useState<Editing | null>(null);
	const lines = useVirtualizer({
		count: rows.length,
		getScrollElement: () => grid.current,
		estimateSize: () => ROW,
		overscan: 12,
		initialRect: { width: 900, height: 400 },
		scrollPaddingStart: ROW,
	});
	const utc = settings.timeFormat === "utc";
	const { template, onWidth, onReset } = useWidths(settings);
	const { current } = list;
	// Not at each step of a scroll: a list may be long.
	const place = useMemo(() => rows.findIndex((row) => row.id === current), [rows, current]);
	useEffect(() => {
		if (place >= 0) lines.scrollToIndex(place);
	}, [place, lines]);

	const onChoose = useCallback((id: string) => list.choose(id), [list]);
	const onCheck = useChecking(list, rows);
	const onEdited = useCallback(
		(row: SessionRow, what: Editing, text: string | null) => {
			setEditing(null);
			grid.current?.focus();
			if (text === null) return;
			if (what === "name" && text !== (row.name ?? "")) void list.rename(row.id, text);
			if (what === "tags" && text !== row.tags.join(" ")) void list.tag(row.id, text);
		},
		[list, grid],
	);
	const onKeyDown = useListKeys({
		list,
		rows,
		place,
		onOpen,
		onDelete,
		onExport,
		onCheck,
		onEdit: setEditing,
	});
	return (
		<div
			ref={grid}
			className={`${css.grid} ${rows.length === 0 ? css.none : ""}`}
			role="grid"
			aria-label="Sessions"
			aria-multiselectable
			aria-rowcount={rows.length + 1}
			aria-activedescendant={place >= 0 ? `session-${list.current}` : undefined}
			aria-busy={list.loading}
			style={{ "--cols": template } as CSSProperties}
			tabIndex={0}
			data-testid={TESTID.sessionGrid}
			onKeyDown={onKeyDown}
		>
			<Head list={list} rows={rows} onWidth={onWidth} onReset={onReset} />
			<div className={css.rows} style={{ height: lines.getTotalSize() }} role="rowgroup">
				{lines.getVirtualItems().map(({ index, start }) => {
					const row = rows[index];
					return (
						row && (
							<SessionLine
								key={row.id}
								row={row}
								index={index}
								top={start}
								nowUs={row.ended_us === null ? now * 1000 : NO_CLOCK}
								utc={utc}
								current={row.id === list.current}
								checked={list.checked.has(row.id)}
								editing={row.id === list.current ? editing : null}
								onChoose={onChoose}
								onOpen={onOpen}
								onCheck={onCheck}
								onEdited={onEdited}
							/>
						)
					);
				})}
			</div>
		</div>
	);
}

/** A session that has ended is drawn once: of the time only the year counts for it. */
const NO_CLOCK = Date.now() * 1000;

interface HeadProps extends Pick<Props, "list" | "rows"> {
	onWidth: (key: SortKey, width: number, done: boolean) => void;
	onReset: (key: SortKey) => void;
}

/** Pixels by which a key widens a column. */
const STEP = 8;

function Head({ list, rows, onWidth, onReset }: HeadProps) {
	const { sort, checked } = list;
	const all = rows.length > 0 && rows.every((row) => checked.has(row.id));
	return (
		<div className={css.head} role="row" aria-rowindex={1}>
			<span role="columnheader" className={css.check}>
				<input
					type="checkbox"
					className="check"
					tabIndex={-1}
					aria-label="Choose all"
					checked={all}
					onChange={() =>
						list.check(
							rows.map((row) => row.id),
							!all,
						)
					}
				/>
			</span>
			{COLUMNS.map(({ key, label, right = false }) => (
				<span
					key={key}
					role="columnheader"
					aria-sort={sort.key === key ? (sort.down ? "descending" : "ascending") : "none"}
				>
					<button
						type="button"
						className={`${css.sort} ${right ? css.right : ""} ${sort.key === key ? css.sorted : ""}`}
						tabIndex={sort.key === key ? 0 : -1}
						title={`Sort by ${label.toLowerCase()} (Shift ← → sets the width)`}
						onClick={() => list.sortBy(key)}
						onKeyDown={(event) => {
							if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
							event.preventDefault();
							event.stopPropagation();
							const cell = event.currentTarget.parentElement;
							if (event.shiftKey) {
								const by = event.key === "ArrowLeft" ? -STEP : STEP;
								onWidth(key, clampWidth((cell?.offsetWidth ?? 0) + by), true);
								return;
							}
							const to = event.key === "ArrowLeft" ? cell?.previousElementSibling : cell?.nextElementSibling;
							to?.querySelector("button")?.focus();
						}}
					>
						<span className="trunc">{label}</span>
						{sort.key === key && <span aria-hidden>{sort.down ? "↓" : "↑"}</span>}
					</button>
					<ColumnGrip onWidth={(width, done) => onWidth(key, width, done)} onReset={() => onReset(key)} />
				</span>
			))}
		</div>
	);
}

/** The columns under the kept widths, and under the one that is being dragged. */
function useWidths(settings: Settings) {
	const [dragged, setDragged] = useState<Widths>({});
	const widths = settings.widths("sessions");
	return {
		template: templateOf({ ...widths, ...dragged }),
		onWidth: (key: SortKey, width: number, done: boolean) => {
			setDragged(done ? {} : { [key]: width });
			if (done) settings.setWidths("sessions", { ...widths, [key]: width });
		},
		onReset: (key: SortKey) => {
			const { [key]: _, ...others } = widths;
			settings.setWidths("sessions", others);
		},
	};
}

/** Checks one session, or all between it and the one checked before. */
function useChecking(list: SessionList, rows: readonly SessionRow[]) {
	const last = useRef<string | null>(null);
	const current = useRef(rows);
	current.current = rows;
	return useCallback(
		(id: string, on: boolean, range: boolean) => {
			const ids = current.current.map((row) => row.id);
			const from = range && last.current !== null ? ids.indexOf(last.current) : -1;
			const to = ids.indexOf(id);
			list.check(from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1), on);
			last.current = id;
		},
		[list],
	);
}
