import { type PointerEvent, useState } from "react";
import css from "./ColumnGrip.module.css";

/** Pixels that a column can have at least and at most. */
export const NARROWEST = 20;
export const WIDEST = 600;

/** The nearest width that a column can have. */
export function clampWidth(width: number): number {
	return Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
}

interface Props {
	/** The edge is the column's left one: it stands right of the column that takes the slack. */
	left?: boolean;
	/** While it is dragged, and `done` at last. */
	onWidth: (width: number, done: boolean) => void;
	/** Gives the column its own width again. */
	onReset: () => void;
}

/** The edge of a column's head, which moves with the pointer. There must be another way by keyboard. */
export function ColumnGrip({ left = false, onWidth, onReset }: Props) {
	const [start, setStart] = useState<{ x: number; width: number } | null>(null);
	const down = (event: PointerEvent<HTMLElement>) => {
		const width = event.currentTarget.parentElement?.offsetWidth ?? 0;
		event.currentTarget.setPointerCapture(event.pointerId);
		setStart({ x: event.clientX, width });
	};
	const drag = (event: PointerEvent<HTMLElement>, done: boolean) => {
		if (!start) return;
		const by = (event.clientX - start.x) * (left ? -1 : 1);
		if (by !== 0) onWidth(clampWidth(start.width + by), done);
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
			onDoubleClick={onReset}
		/>
	);
}
