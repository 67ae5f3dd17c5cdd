import { type PointerEvent, useState } from "react";
import type { Clock } from "../../model/format";
import { COLUMNS, type Column, clampWidth, type Layout } from "./columns";
import css from "./Timeline.module.css";
import type { Stretch } from "./waterfall";

interface Props {
	layout: Layout;
	/** Of the rows in sight. */
	stretch: Stretch | null;
	clock: Clock;
	/** While it is dragged, and `done` at last. */
	onWidth: (column: Column, width: number, done: boolean) => void;
	/** Gives a column its own width again. */
	onReset: (column: Column) => void;
}

const ALIGN = { right: css.right, middle: css.middle } as const;

/** The row of heads; their right edges can be dragged. */
export function Head({ layout, stretch, clock, onWidth, onReset }: Props) {
	return (
		<div className={css.head} role="row" aria-rowindex={1}>
			{layout.shown.map((column) => (
				<span
					key={column.id}
					role="columnheader"
					className={column.id === "waterfall" ? css.axis : column.align && ALIGN[column.align]}
					title={column.name === column.head ? undefined : column.name}
				>
					{column.id === "waterfall" ? (
						<Axis stretch={stretch} clock={clock} />
					) : column.id === "time" ? (
						clock.head
					) : (
						column.head
					)}
					{column.id !== "summary" && <Grip column={column} onWidth={onWidth} onReset={onReset} />}
				</span>
			))}
		</div>
	);
}

function Axis({ stretch, clock }: { stretch: Stretch | null; clock: Clock }) {
	return (
		<>
			<span className="vh">Waterfall</span>
			{stretch && (
				<>
					<span aria-hidden>{clock.text(stretch.from).replace(/\.\d+$/, "")}</span>
					<span aria-hidden>{/:\d\d(?=\.)/.exec(clock.text(stretch.to))?.[0]}</span>
				</>
			)}
		</>
	);
}

/**
 * The edge of a column that moves with the pointer: the right one, but of columns right of Summary, which takes the
 * slack, the left one. The list of columns sets widths by keyboard.
 */
function Grip({ column, onWidth, onReset }: Pick<Props, "onWidth" | "onReset"> & { column: Column }) {
	const [start, setStart] = useState<{ x: number; width: number } | null>(null);
	const left = COLUMNS.indexOf(column) > COLUMNS.findIndex(({ id }) => id === "summary");
	const down = (event: PointerEvent<HTMLElement>) => {
		const width = event.currentTarget.parentElement?.offsetWidth ?? column.width;
		event.currentTarget.setPointerCapture(event.pointerId);
		setStart({ x: event.clientX, width });
	};
	const drag = (event: PointerEvent<HTMLElement>, done: boolean) => {
		if (!start) return;
		const by = (event.clientX - start.x) * (left ? -1 : 1);
		if (by !== 0) onWidth(column, clampWidth(start.width + by), done);
		if (done) setStart(null);
	};
	return (
		<i
			className={`${css.grip} ${left ? css.left : ""}`}
			aria-hidden
			title="Drag to resize; double-click for its own width"
			onPointerDown={down}
			onPointerMove={(event) => drag(event, false)}
			onPointerUp={(event) => drag(event, true)}
			onDoubleClick={() => onReset(column)}
		/>
	);
}
