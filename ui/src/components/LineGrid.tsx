import { type CSSProperties, type ReactNode, useId } from "react";
import css from "./LineGrid.module.css";
import { ROW, useWindow } from "./useWindow";

/** How a line is drawn. */
export interface LineLook {
	/** One for each column. */
	cells: readonly ReactNode[];
	/** Drawn as a failure. */
	error?: boolean;
	/** For tests: its id, and what it carries. */
	data: Record<`data-${string}`, string | number>;
}

interface Props<T> {
	label: string;
	columns: readonly { name: string; width: string; right?: boolean }[];
	lines: readonly T[];
	/** Tells a line from the others while the list grows. */
	keyOf: (line: T, index: number) => string | number;
	look: (line: T) => LineLook;
	/** Index of the chosen line; -1 for none. */
	chosen: number;
	onChoose: (index: number) => void;
	/** Escape, while a line is chosen. */
	onLeave?: () => void;
	follow: boolean;
	onFollow: (follow: boolean) => void;
}

/** The lines of a log in fixed rows: walked with keys, and at its end while that is followed. */
export function LineGrid<T>(props: Props<T>) {
	const { label, columns, lines, keyOf, look, chosen, onChoose, onLeave, follow, onFollow } = props;
	const id = useId();
	const list = useWindow(lines.length, follow, onFollow);
	const choose = (to: number) => {
		const index = Math.max(0, Math.min(lines.length - 1, to));
		onChoose(index);
		list.reveal(index);
	};
	const moves: Record<string, number> = {
		ArrowDown: chosen + 1,
		ArrowUp: chosen < 0 ? lines.length - 1 : chosen - 1,
		PageDown: chosen + list.fit,
		PageUp: chosen - list.fit,
		Home: 0,
		End: lines.length - 1,
	};
	return (
		<div
			ref={list.ref}
			className={css.grid}
			style={{ "--cols": columns.map(({ width }) => width).join(" ") } as CSSProperties}
			role="grid"
			aria-label={label}
			aria-rowcount={lines.length + 1}
			aria-activedescendant={chosen >= list.from && chosen < list.to ? `${id}${chosen}` : undefined}
			tabIndex={0}
			onScroll={list.onScroll}
			onKeyDown={(event) => {
				if (event.key === "Escape" && chosen >= 0 && onLeave) {
					event.preventDefault();
					onLeave();
				}
				const to = moves[event.key];
				if (to === undefined) return;
				event.preventDefault();
				if (to < lines.length - 1) onFollow(false);
				choose(to);
			}}
		>
			<div className={css.head} role="row" aria-rowindex={1}>
				{columns.map(({ name, right }) => (
					<span key={name} role="columnheader" className={right ? "num" : undefined}>
						{name}
					</span>
				))}
			</div>
			<div style={{ height: list.height, position: "relative" }} role="rowgroup">
				{lines.slice(list.from, list.to).map((line, i) => {
					const index = list.from + i;
					const { cells, error = false, data } = look(line);
					return (
						<div
							key={keyOf(line, index)}
							id={`${id}${index}`}
							className={`${css.row} ${error ? css.error : ""} ${index === chosen ? css.on : ""}`}
							role="row"
							aria-rowindex={index + 2}
							aria-selected={index === chosen}
							style={{ transform: `translateY(${list.topOf(index)}px)`, height: ROW }}
							{...data}
							onClick={() => choose(index)}
						>
							{cells.map((cell, at) => (
								<span
									key={columns[at]?.name}
									role="gridcell"
									className={columns[at]?.right ? "num" : "trunc"}
								>
									{cell}
								</span>
							))}
						</div>
					);
				})}
			</div>
		</div>
	);
}
