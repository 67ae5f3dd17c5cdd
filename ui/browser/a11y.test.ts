/** Every place of the app: what axe finds, and whether the keyboard gets everywhere with the focus in sight. */
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, open, type Size, THEMES } from "./browser";
import { walk } from "./focus";
import { PLACES } from "./places";

const SIZE: Size = [1440, 900];
const SMALLEST: Size = [1100, 700];

let browser: Browser;
beforeAll(async () => {
	browser = await launch();
});
afterAll(() => browser.close());

describe.each(PLACES)("$name", (place) => {
	it.each(THEMES)("axe finds nothing, %s", async (theme) => {
		const page = await open(browser, place, theme, SIZE);
		expect(await violations(page)).toEqual([]);
		await page.close();
	});

	it("the keyboard gets everywhere, and the focus is seen", async () => {
		const page = await open(browser, place, "light", SMALLEST);
		expect(await walk(page)).toEqual([]);
		await page.close();
	});
});

/** One line for each element that breaks a rule. */
async function violations(page: Page): Promise<string[]> {
	await page.evaluate(axe.source);
	return page.evaluate(async () => {
		const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
		return violations.flatMap((rule) =>
			rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary ?? rule.help}`),
		);
	});
}
