import { useEffect, useRef } from "react";
import { typing, useKeys } from "../components/keys";
import { type Command, type Context, commandsOf } from "./commands";

/** Where F6 goes, in the order of the window: what has the focus of each pane. */
const STOPS = [
	'nav [data-rail][tabindex="0"]',
	'main [role="tablist"] [aria-selected="true"]',
	'main [role="listbox"]',
	'main form :is(input:not([type="radio"]), select, textarea)',
	'.cm-content[contenteditable="true"]',
	'[role="grid"]',
	'[role="treegrid"]',
].join(",");

/** What F6 takes for one pane. */
const PANES = "nav, aside, form, [role=tablist], [role=listbox], [role=grid], [role=treegrid], .cm-editor";

/** `g s` is two presses within this time, milliseconds. */
const TWICE = 1000;

/** The window's own keys; those of a page are beside it. Returns the commands behind them. */
export function useAppKeys(context: Context): Command[] {
	const { app, maximised, setMaximised } = context;
	const commands = commandsOf(context);
	const servers = Object.fromEntries(
		Array.from({ length: 9 }, (_, i) => [
			`Mod+${i + 1}`,
			() => {
				const server = app.servers[i];
				if (server) app.selectServer(server.id);
				return server !== undefined;
			},
		]),
	);
	useKeys({
		...servers,
		...Object.fromEntries(
			commands.flatMap(({ key, run }) => (key === undefined ? [] : [[key, () => done(run)]])),
		),
		Escape: () => {
			// The selection and the filter are left first.
			if (!maximised || app.page !== "session" || app.open?.selected || app.open?.filter) return false;
			setMaximised(false);
			return true;
		},
		F6: () => goToPane(1),
		"Shift+F6": () => goToPane(-1),
	});
	useAfterG("s", () => app.show("sessions"));
	return commands;
}

/** `g` and then another key. `g` alone belongs to whoever wants it. */
function useAfterG(key: string, act: () => void): void {
	const current = useRef(act);
	current.current = act;
	useEffect(() => {
		let last = -TWICE;
		const onKey = (event: KeyboardEvent) => {
			if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typing(event.target)) return;
			if (event.key === key && event.timeStamp - last < TWICE) {
				event.preventDefault();
				event.stopPropagation();
				current.current();
			}
			last = event.key === "g" ? event.timeStamp : -TWICE;
		};
		// Before the page's own keys.
		window.addEventListener("keydown", onKey, { capture: true });
		return () => window.removeEventListener("keydown", onKey, { capture: true });
	}, [key]);
}

function goToPane(by: number): boolean {
	const paneOf = (element: Element | null) => element?.closest(PANES) ?? null;
	const stops = new Map<Element | null, HTMLElement>();
	for (const element of document.querySelectorAll<HTMLElement>(STOPS)) {
		const pane = paneOf(element);
		if (!stops.has(pane)) stops.set(pane, element);
	}
	const panes = [...stops.keys()];
	const at = panes.indexOf(paneOf(document.activeElement));
	const to = panes[at < 0 && by < 0 ? panes.length - 1 : (at + by + panes.length) % panes.length];
	if (to) stops.get(to)?.focus();
	return true;
}

function done(run: () => void): true {
	run();
	return true;
}
