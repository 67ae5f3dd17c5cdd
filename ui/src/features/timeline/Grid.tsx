import { useCallback, useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { TailIcon } from "../../components/icons";
import { useStore } from "../../components/useStore";
import { clock, count } from "../../model/format";
import { pairOf } from "../../model/rows";
import type { SessionStore } from "../../model/sessionStore";
import type { ViewStore } from "../../model/viewStore";
import { columns } from "./columns";
import { Row } from "./Row";
import css from "./Timeline.module.css";
import { useGridKeys } from "./useGridKeys";
import { useWindow } from "./useWindow";
import { type Stretch, stretch } from "./waterfall";

interface Props {
	session: SessionStore;
	view: ViewStore;
	/** Opens the detail of the selected record. */
	onOpen: () => void;
}

/** The rows: a window over the view, drawn as far as it is in sight. */
export function Grid({ session, view, onOpen }: Props) {
	useStore(view);
	const { selected, follow } = session;
	const { total } = view;
	const onFollow = useCallback((on: boolean) => session.setFollow(on), [session]);
	const window = useWindow(total, follow, onFollow);
	const fresh = useFresh(total, follow);

	useEffect(() => view.want(window.from, window.to), [view, window.from, window.to]);

	const select = useCallback(
		(index: number) => {
			session.selectIndex(index);
			onOpen();
		},
		[session, onOpen],
	);
	useGridKeys({ session, view, window, onOpen });

	const peer = selected ? pairOf(selected.row) : null;
	const indexes = Array.from({ length: window.to - window.from }, (_, i) => window.from + i);
	const time = stretch(indexes.map((index) => view.row(index)));
	return (
		<div className={css.holder}>
			<div
				ref={window.ref}
				className={css.grid}
				style={{ "--cols": columns(view.logTotal) }}
				onScroll={window.onScroll}
				role="grid"
				aria-label="Frames"
				aria-rowcount={total + 1}
				aria-activedescendant={selected && selected.index >= 0 ? `row-${selected.row.seq}` : undefined}
				tabIndex={0}
				data-testid={TESTID.timeline}
				data-total={total}
			>
				<Head time={time} />
				<div className={css.rows} style={{ height: window.height }} role="rowgroup">
					{indexes.map((index) => {
						const row = view.row(index);
						return (
							row && (
								<Row
									key={row.seq}
									row={row}
									index={index}
									top={window.topOf(index)}
									selected={row.seq === selected?.row.seq}
									peer={row.seq === peer}
									stretch={time}
									onSelect={select}
								/>
							)
						);
					})}
				</div>
			</div>
			{fresh > 0 && (
				<button
					type="button"
					className={`btn pri sm ${css.fresh}`}
					data-testid={TESTID.newRows}
					onClick={() => session.setFollow(true)}
				>
					{count(fresh)} new <Icon of={TailIcon} small />
				</button>
			)}
		</div>
	);
}

const HEADS = ["#", "Time", "Δ", "⇄", "Kind", "Method", "Summary", "Id", "Duration", "Size"];
const RIGHT = new Set(["#", "Δ", "Id", "Duration", "Size"]);

function Head({ time }: { time: Stretch | null }) {
	return (
		<div className={css.head} role="row" aria-rowindex={1}>
			{HEADS.map((name) => (
				<span
					key={name}
					role="columnheader"
					className={RIGHT.has(name) ? css.right : name === "⇄" ? css.middle : undefined}
					title={name === "⇄" ? "Direction" : name === "Δ" ? "Gap to the record before it" : undefined}
				>
					{name}
				</span>
			))}
			<span role="columnheader" className={css.axis}>
				<span className="vh">Waterfall</span>
				{time && (
					<>
						<span>{clock(time.from).slice(0, 8)}</span>
						<span>{clock(time.to).slice(5, 8)}</span>
					</>
				)}
			</span>
		</div>
	);
}

/** Rows that came since the end was left. */
function useFresh(total: number, follow: boolean): number {
	const [seen, setSeen] = useState(total);
	if (follow && seen !== total) setSeen(total);
	if (!follow && seen > total) setSeen(total);
	return follow ? 0 : total - seen;
}
