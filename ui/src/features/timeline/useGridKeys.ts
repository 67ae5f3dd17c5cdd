import { useEffect, useRef } from "react";
import { type KeyAction, useKeys } from "../../components/keys";
import type { Window } from "../../components/useWindow";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import type { Folds } from "../../model/folds";
import { canEdit, pairOf, waits } from "../../model/rows";
import type { SessionStore } from "../../model/sessionStore";
import type { ViewStore } from "../../model/viewStore";
import type { GridRef } from "./Grid";
import { toggleRounds } from "./RoundLead";
import { copyRow } from "./rowActions";
import type { Actions } from "./Timeline";

interface Context {
	session: SessionStore;
	view: ViewStore;
	window: Window;
	folds: Folds;
	grid: GridRef;
	actions: Actions;
}

/** Where the menu opens in its row when a key asks for it, pixels. */
const MENU_LEFT = 40;
/** `g g` is two presses within this time, milliseconds. */
const TWICE = 600;

/** The timeline's keys; they work wherever no text field has the focus. */
export function useGridKeys({ session, view, window, folds, grid, actions }: Context): void {
	const lastG = useRef(0);

	const rows = folds.shown(view.total);
	/** Goes to a place among the shown rows. */
	const goTo = (place: number) => {
		const to = Math.max(0, Math.min(place, rows - 1));
		if (to < rows - 1) session.setFollow(false);
		window.reveal(to);
		const index = folds.toIndex(to);
		// A row that is far away comes with the next page; it is selected when it is here.
		void view.load(index).then(() => session.selectIndex(index));
	};
	const step = (by: number) => () => {
		const selected = session.selected?.index ?? -1;
		const to = folds.toShown(selected) + by;
		if (selected < 0) goTo(by > 0 ? window.from : window.to - 1);
		else if (to < 0 || to >= rows) return true;
		else if (view.row(folds.toIndex(to))) {
			if (by < 0) session.setFollow(false);
			session.selectIndex(folds.toIndex(to));
			window.reveal(to);
		} else goTo(to);
		return true;
	};
	const open: KeyAction = (event) => {
		if (!session.selected || isControl(event.target)) return false;
		session.show({ detail: true });
		return true;
	};
	const withRow = (action: (row: RecordRow) => unknown) => () => {
		const row = session.selected?.row;
		if (row) action(row);
		return row !== undefined;
	};
	const problem = (way: 1 | -1) => () => {
		session.setFollow(false);
		const none = way > 0 ? "No error after this" : "No error before this";
		void session.selectProblem(way).then((found) => found || session.tell(none));
		return true;
	};
	/** Folds the rounds of the selected row's call, else the card and the detail. */
	const fold = (open: boolean) => () => {
		if (foldRounds(session, open)) return true;
		session.show({ card: open, folded: !open });
		return true;
	};
	/** Asks for the menu at the selected row, as the other mouse button would. */
	const menu: KeyAction = (event) => {
		const focus = event.target;
		if (focus !== document.body && focus !== grid.current) return false;
		const index = session.selected?.index ?? -1;
		const row = index < 0 ? null : grid.current?.querySelector(`[data-index="${index}"]`);
		if (!row) return true;
		const { left, bottom } = row.getBoundingClientRect();
		const at = { clientX: left + MENU_LEFT, clientY: bottom, button: 2 };
		row.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, ...at }));
		return true;
	};
	const inGrid =
		(action: KeyAction): KeyAction =>
		(event) =>
			isElsewhere(event.target) ? false : action(event);

	useKeys({
		j: step(1),
		k: step(-1),
		ArrowDown: inGrid(step(1)),
		ArrowUp: inGrid(step(-1)),
		PageDown: inGrid(step(window.fit)),
		PageUp: inGrid(step(-window.fit)),
		Home: inGrid(() => {
			goTo(0);
			return true;
		}),
		End: inGrid(() => {
			session.setFollow(true);
			goTo(rows - 1);
			return true;
		}),
		Enter: open,
		o: open,
		g: () => {
			const now = Date.now();
			if (now - lastG.current < TWICE) goTo(0);
			lastG.current = now;
			return true;
		},
		G: () => {
			session.setFollow(true);
			goTo(rows - 1);
			return true;
		},
		p: () => {
			const pair = session.selected && pairOf(session.selected.row);
			if (pair) void session.selectSeq(pair);
			return true;
		},
		n: problem(1),
		N: problem(-1),
		f: () => {
			session.setFollow(!session.follow);
			return true;
		},
		y: withRow(({ seq }) => copyRow(session, seq, true)),
		Y: withRow(({ seq }) => copyRow(session, seq, false)),
		e: withRow((row) => canEdit(row) && actions.onEdit(row.seq)),
		x: () => {
			const row = session.selected?.row;
			actions.onCancel(row && waits(row) ? row.seq : null);
			return true;
		},
		h: fold(false),
		l: fold(true),
		ArrowLeft: inGrid(() => foldRounds(session, false)),
		ArrowRight: inGrid(() => foldRounds(session, true)),
		ContextMenu: menu,
		"Shift+F10": menu,
	});
	useReveal(session, window, folds);
}

/** Folds or unfolds the rounds of the selected row's call; false where that changes nothing. */
function foldRounds(session: SessionStore, open: boolean): boolean {
	const seq = session.selected?.row.seq ?? 0;
	const call = session.rounds.of(seq)?.call;
	if (!call || session.rounds.isFolded(call) === !open) return false;
	return toggleRounds(session, seq, !open);
}

/** A record that was selected by its number, from wherever, comes into sight. */
function useReveal(session: SessionStore, window: Window, folds: Folds): void {
	const { selected } = session;
	const at = selected?.index ?? -1;
	const seq = selected?.row.seq;
	const { ready } = window;
	// biome-ignore lint/correctness/useExhaustiveDependencies: a change of the window's size moves nothing
	useEffect(() => {
		if (ready && at >= 0 && window.reveal(folds.toShown(at))) session.setFollow(false);
	}, [seq, at, ready]);
}

/** A button or tab takes Enter itself. */
function isControl(target: EventTarget | null): boolean {
	return (
		target instanceof HTMLElement &&
		target.closest("button, a, [role=tab], [role=option], [role=separator]") !== null
	);
}

/** Arrows belong to whatever composite has the focus. */
function isElsewhere(target: EventTarget | null): boolean {
	if (!(target instanceof HTMLElement) || target.closest("[role=grid]")) return false;
	return (
		target.closest("[role=listbox], [role=tablist], [role=separator], [role=dialog], nav, .cm-editor") !==
		null
	);
}
