/**
 * Pictures of every place, in both themes at the size of the design and in the light one at others:
 * `target/pictures/ui`. One place alone: `npm run pictures -- -t NAME`.
 */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, it } from "vitest";
import { launch, open, resize, SIZES, type Size, THEMES, wear } from "./browser";
import { PLACES } from "./places";

const FOLDER = `${import.meta.dirname}/../../target/pictures/ui`;
/** Smaller than a window can be, and as large as a screen is. */
const EXTREMES: readonly Size[] = [
	[960, 600],
	[2560, 1440],
];

let browser: Browser;
beforeAll(async () => {
	browser = await launch();
});
afterAll(() => browser.close());

it.each(PLACES)("$name", async (place) => {
	const page = await open(browser, place);
	try {
		for (const [i, size] of [...SIZES, ...EXTREMES].entries()) {
			await resize(page, size);
			for (const theme of i === 0 ? THEMES : THEMES.slice(0, 1)) {
				await wear(page, theme);
				await page.screenshot({ path: `${FOLDER}/${place.name}-${theme}-${size[0]}.png` });
			}
		}
	} finally {
		await page.close();
	}
});
