import { useRef } from "react";
import { copyText } from "../../components/clipboard";
import { type KeyAction, useKeys } from "../../components/keys";
import { pretty } from "../../model/json/pretty";
import { pairOf } from "../../model/rows";
import type { SessionStore } from "../../model/sessionStore";
import type { ViewStore } from "../../model/viewStore";
import type { Window } from "./useWindow";

interface Context {
	session: SessionStore;
	view: ViewStore;
	window: Window;
	onOpen: () => void;
}

/** `g g` is two presses within this time, milliseconds. */
const TWICE = 600;

/** The timeline's keys; they work wherever no text field has the focus. */
export function useGridKeys({ session, view, window, onOpen }: Context): void {
	const lastG = useRef(0);

	const goTo = (index: number) => {
		const to = Math.max(0, Math.min(index, view.total - 1));
		if (to < view.total - 1) session.setFollow(false);
		window.reveal(to);
		// A row that is far away comes with the next page; it is selected when it is here.
		void view.load(to).then(() => session.selectIndex(to));
	};
	const step = (by: number) => () => {
		const index = session.selected?.index ?? -1;
		if (index < 0) goTo(by > 0 ? window.from : window.to - 1);
		else if (view.row(index + by)) {
			if (by < 0) session.setFollow(false);
			session.selectIndex(index + by);
			window.reveal(index + by);
		} else if (index + by >= 0 && index + by < view.total) goTo(index + by);
		return true;
	};
	const open: KeyAction = (event) => {
		if (!session.selected || isControl(event.target)) return false;
		onOpen();
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
			goTo(view.total - 1);
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
			goTo(view.total - 1);
			return true;
		},
		p: () => {
			const pair = session.selected && pairOf(session.selected.row);
			if (pair) void session.selectSeq(pair).then(() => revealSelected(session, window));
			return true;
		},
		f: () => {
			session.setFollow(!session.follow);
			return true;
		},
		y: () => copy(session, (text) => pretty(text).text),
		Y: () => copy(session, (text) => text),
	});
}

/** Scrolls to the selected record where the filter shows it. */
export function revealSelected(session: SessionStore, window: Window): void {
	const index = session.selected?.index ?? -1;
	if (index >= 0) window.reveal(index);
}

function copy(session: SessionStore, form: (text: string) => string): boolean {
	const row = session.selected?.row;
	if (!row) return false;
	void session
		.wholeText(row.seq)
		.then((text) => copyText(form(text)))
		.catch(() => undefined);
	return true;
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
