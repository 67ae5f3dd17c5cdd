import { ColumnGrip } from "../../components/ColumnGrip";
import type { Clock } from "../../model/format";
import { COLUMNS, type Column, type Layout } from "./columns";
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

/** Summary takes the slack: columns right of it are widened at their left edges. */
const SLACK = COLUMNS.findIndex(({ id }) => id === "summary");

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
					{column.id !== "summary" && (
						<ColumnGrip
							left={COLUMNS.indexOf(column) > SLACK}
							onWidth={(width, done) => onWidth(column, width, done)}
							onReset={() => onReset(column)}
						/>
					)}
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
