import { useKeys } from "../components/keys";
import type { AppStore } from "../model/appStore";

interface Context {
	app: AppStore;
	maximised: boolean;
	setMaximised: (on: boolean) => void;
	onShortcuts: () => void;
}

/** Where F6 goes, in the order of the window. */
const PANES =
	'nav button, [role="listbox"], .cm-content[contenteditable="true"], [role="grid"], aside [role="tab"]';

/** The window's own keys; those of the timeline are beside it. */
export function useAppKeys({ app, maximised, setMaximised, onShortcuts }: Context): void {
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
		"?": () => {
			onShortcuts();
			return true;
		},
		T: () => {
			setMaximised(!maximised);
			return true;
		},
		Escape: () => {
			// The selection and the filter are left first.
			if (!maximised || app.open?.selected || app.open?.filter) return false;
			setMaximised(false);
			return true;
		},
		"Mod+R": () => {
			if (app.server !== null) void app.restart(app.server);
			return app.server !== null;
		},
		F6: () => goToPane(1),
		"Shift+F6": () => goToPane(-1),
	});
}

function goToPane(by: number): boolean {
	const panes: HTMLElement[] = [];
	for (const element of document.querySelectorAll<HTMLElement>(PANES)) {
		// One stop for each pane: the first of its kind.
		if (!panes.some((pane) => kind(pane) === kind(element))) panes.push(element);
	}
	const at = panes.findIndex(
		(pane) => pane.contains(document.activeElement) || kind(pane) === kind(document.activeElement),
	);
	panes[(at + by + panes.length) % panes.length]?.focus();
	return true;
}

function kind(element: Element | null): string | null {
	return element?.closest("nav, aside, [role=listbox], [role=grid], .cm-editor")?.tagName ?? null;
}
