import { useCallback, useLayoutEffect, useReducer, useRef, useState } from "react";
import { ScrollScale } from "./scrollScale";

/** Height of a row and of the head, pixels; as `--row` says. */
export const ROW = 22;
/** Rows drawn beyond the window's edges. */
const OVERSCAN = 4;

/** The rows in sight and how to move. */
export interface Window {
	/** Goes on the scrolling element. */
	ref: (element: HTMLDivElement | null) => void;
	onScroll: () => void;
	/** First row to draw, and one past the last. */
	from: number;
	to: number;
	/** Height of the element that holds the rows. */
	height: number;
	/** Where row `index` goes in it. */
	topOf: (index: number) => number;
	/** Its size is known. */
	ready: boolean;
	/** Whole rows that fit. */
	fit: number;
	/** Scrolls just so far that row `index` is in sight; whether that was upwards, away from the end. */
	reveal: (index: number) => boolean;
	/** Scrolls row `index` to the middle. */
	center: (index: number) => void;
}

/**
 * A window of fixed rows over a list of `total`. While `follow` it stays at the end; `onFollow` tells when the user
 * leaves the end or comes back to it.
 */
export function useWindow(total: number, follow: boolean, onFollow: (follow: boolean) => void): Window {
	const scale = useRef<ScrollScale>(null);
	scale.current ??= new ScrollScale();
	const list = scale.current;
	const element = useRef<HTMLDivElement | null>(null);
	const [height, setHeight] = useState(0);
	const [, redraw] = useReducer((n: number) => n + 1, 0);

	const room = Math.max(0, height - ROW);
	list.resize(total * ROW, room);

	const ref = useCallback((node: HTMLDivElement | null) => {
		element.current = node;
		if (!node) return;
		const sizes = new ResizeObserver(() => setHeight(node.clientHeight));
		sizes.observe(node);
		setHeight(node.clientHeight);
		return () => sizes.disconnect();
	}, []);

	const go = useCallback(
		(top: number) => {
			const to = list.go(top);
			if (element.current) element.current.scrollTop = to;
			redraw();
		},
		[list],
	);

	useLayoutEffect(() => {
		// In sight of the end, the end stays in sight when rows come or the room changes.
		if (follow && total >= 0 && room >= 0) go(list.end);
	}, [follow, total, room, go, list]);

	const onScroll = useCallback(() => {
		const node = element.current;
		if (!node) return;
		const before = list.top;
		const corrected = list.scrolled(node.scrollTop);
		if (corrected !== null) node.scrollTop = corrected;
		// Only a movement upwards leaves the end: rows may have come since the scroll was made. A pane that grew moves
		// the rows too, but stays at the element's end.
		const atEnd = node.scrollTop + node.clientHeight >= node.scrollHeight - ROW / 2;
		if (list.top < before && !atEnd) onFollow(false);
		else if (list.top > before && list.top >= list.end - ROW / 2) onFollow(true);
		redraw();
	}, [list, onFollow]);

	const reveal = useCallback(
		(index: number) => {
			const top = index * ROW;
			const up = top < list.top;
			if (up) go(top);
			else if (top + ROW > list.top + room) go(top + ROW - room);
			return up;
		},
		[go, list, room],
	);

	const center = useCallback((index: number) => go(index * ROW - room / 2), [go, room]);

	const first = Math.floor(list.top / ROW);
	return {
		ref,
		onScroll,
		from: Math.max(0, Math.min(first - OVERSCAN, total)),
		to: Math.min(total, first + Math.ceil(room / ROW) + OVERSCAN),
		height: list.height,
		topOf: (index) => index * ROW - list.offset,
		ready: room > 0,
		fit: Math.max(1, Math.floor(room / ROW)),
		reveal,
		center,
	};
}
