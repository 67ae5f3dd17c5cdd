/** Every place of the app: what axe finds, and whether the keyboard gets everywhere with the focus in sight. */
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch, open, resize, SIZES, THEMES, wear } from "./browser";
import { walk } from "./focus";
import { PLACES } from "./places";

let browser: Browser;
beforeAll(async () => {
	browser = await launch();
});
afterAll(() => browser.close());

it.each(PLACES)(
	"$name: axe finds nothing, the keyboard gets everywhere, the focus is seen",
	async (place) => {
		const page = await open(browser, place);
		try {
			for (const theme of THEMES) {
				await wear(page, theme);
				expect(await violations(page), `axe, ${theme}`).toEqual([]);
			}
			// In the smallest window, where something is most likely out of sight.
			await resize(page, SIZES[2]);
			expect(await walk(page), "keyboard").toEqual([]);
			expect(await page.getByText("A fault in this app").count(), "parts that failed").toBe(0);
		} finally {
			// A page that is left open keeps drawing and starves the others.
			await page.close();
		}
	},
);

/** One line for each element that breaks a rule. */
async function violations(page: Page): Promise<string[]> {
	await page.evaluate(axe.source);
	return page.evaluate(async () => {
		const { axe } = window as unknown as { axe: typeof import("axe-core") };
		// A menu lies outside of the page's landmarks, as every popover does, and is left before anything else.
		axe.configure({
			rules: [{ id: "region", selector: "body *:not([data-base-ui-portal], [data-base-ui-portal] *)" }],
		});
		const { violations } = await axe.run();
		return violations.flatMap((rule) =>
			rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary ?? rule.help}`),
		);
	});
}
