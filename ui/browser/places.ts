/** The places of the app that are checked and of which pictures are taken. A new page or state is a row here. */
import type { Page } from "playwright-core";

export interface Place {
	/** Names the test and the picture. */
	name: string;
	/** What the fake host plays, as in the address: see `src/ipc/fake/index.ts`. */
	query?: string;
	/** Goes there from the open window, as a user does. */
	go?: (page: Page) => Promise<unknown>;
}

const row = (seq: number) => (page: Page) =>
	page.locator(`[data-testid=timeline-row][data-seq="${seq}"]`).click();
const server = (name: string) => (page: Page) =>
	page.getByTestId("server-row").filter({ hasText: name }).click();
const filter = (text: string) => (page: Page) => page.getByTestId("filter-input").fill(text);
const press = (key: string) => (page: Page) => page.keyboard.press(key);
const then =
	(...steps: ((page: Page) => Promise<unknown>)[]) =>
	async (page: Page) => {
		for (const step of steps) await step(page);
	};

export const PLACES: readonly Place[] = [
	{ name: "empty", query: "empty" },
	{ name: "live" },
	{ name: "detail", go: row(13) },
	{ name: "detail-raw", go: then(row(10), press("2")) },
	{ name: "detail-pair", go: then(row(13), press("4")) },
	{ name: "headers", query: "http", go: then(server("billing-http"), row(5), press("3")) },
	{ name: "exit", query: "crash" },
	{ name: "exit-maximised", query: "crash", go: then(row(13), press("Shift+T")) },
	{ name: "hostile", query: "scenario=hostile", go: then(row(26), press("Shift+T")) },
	{ name: "hostile-raw", query: "scenario=hostile", go: then(row(26), press("2")) },
	{ name: "marks", query: "scenario=marks", go: row(24) },
	{ name: "huge", query: "scenario=huge", go: row(21) },
	{ name: "not-recording", query: "scenario=not-recording" },
	{ name: "connect-failed", query: "scenario=connect-failed" },
	{ name: "no-match", go: filter("kind:error zzz") },
	{ name: "bad-filter", go: filter("colour:red") },
	{ name: "maximised", query: "rows=2000", go: then(server("fs-sandbox"), press("Shift+T")) },
	{ name: "shortcuts", go: press("?") },
];
