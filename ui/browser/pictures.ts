/**
 * Pictures of every place, in both themes and at the sizes of the design: `target/pictures/ui`. One place or theme:
 * `npm run pictures -- -t tools-dark`.
 */

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, it } from "vitest";
import { launch, open, type Size, THEMES } from "./browser";
import { PLACES } from "./places";

const FOLDER = `${import.meta.dirname}/../../target/pictures/ui`;
const SIZES: readonly Size[] = [
	[1440, 900],
	[1600, 950],
	[1100, 700],
];

let browser: Browser;
beforeAll(async () => {
	browser = await launch();
});
afterAll(() => browser.close());

for (const size of SIZES) {
	for (const place of PLACES) {
		for (const theme of THEMES) {
			const name = `${place.name}-${theme}-${size[0]}`;
			it(name, async () => {
				const page = await open(browser, place, theme, size);
				await page.screenshot({ path: `${FOLDER}/${name}.png` });
				await page.close();
			});
		}
	}
}
