/** The places of the app that are checked and of which pictures are taken. A new page or state is a row here. */
import type { Page } from "playwright-core";

export interface Place {
	/** Names the test and the picture. */
	name: string;
	/** What the fake host plays: see `src/ipc/fake/scenarios.ts`. */
	scenario?: string;
	/** Goes there from the open window, as a user does. */
	go?: (page: Page) => Promise<unknown>;
}

const row = (seq: number) => (page: Page) =>
	page.locator(`[data-testid=timeline-row][data-seq="${seq}"]`).click();
const press = (key: string) => (page: Page) => page.keyboard.press(key);
const then =
	(...steps: ((page: Page) => Promise<unknown>)[]) =>
	async (page: Page) => {
		for (const step of steps) await step(page);
	};

export const PLACES: readonly Place[] = [
	{ name: "live" },
	{ name: "detail", go: row(13) },
	{ name: "shortcuts", go: press("?") },
	{ name: "maximised", go: then(row(13), press("Shift+T")) },
];
