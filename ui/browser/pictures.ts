/**
 * Pictures of every place, in both themes and at the sizes of the design: `target/pictures/ui`. One place alone:
 * `npm run pictures -- -t NAME`.
 */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, it } from "vitest";
import { launch, open, resize, SIZES, THEMES, wear } from "./browser";
import { PLACES } from "./places";

const FOLDER = `${import.meta.dirname}/../../target/pictures/ui`;

let browser: Browser;
beforeAll(async () => {
	browser = await launch();
});
afterAll(() => browser.close());

it.each(PLACES)("$name", async (place) => {
	const page = await open(browser, place);
	try {
		for (const size of SIZES) {
			await resize(page, size);
			for (const theme of THEMES) {
				await wear(page, theme);
				await page.screenshot({ path: `${FOLDER}/${place.name}-${theme}-${size[0]}.png` });
			}
		}
	} finally {
		await page.close();
	}
});
