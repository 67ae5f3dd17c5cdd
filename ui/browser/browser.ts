/** A page of the app in Debian's Chromium, on the fake host. */
import { type Browser, chromium, type Page } from "playwright-core";
import { inject } from "vitest";
import type { Place } from "./places";

export type Theme = "light" | "dark";
export const THEMES: readonly Theme[] = ["light", "dark"];

/** Width and height of the window. */
export type Size = readonly [width: number, height: number];

export function launch(): Promise<Browser> {
	return chromium.launch({
		executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
		args: ["--no-sandbox"],
	});
}

/** Opens a window at a place and waits until it is drawn. The caller closes it. */
export async function open(browser: Browser, place: Place, theme: Theme, size: Size): Promise<Page> {
	const [width, height] = size;
	const page = await browser.newPage({ viewport: { width, height }, reducedMotion: "reduce" });
	page.setDefaultTimeout(20_000);
	const query = new URLSearchParams({ theme });
	if (place.scenario) query.set("scenario", place.scenario);
	await page.goto(`${inject("page")}?${query}`);
	await page.locator("#root > *").first().waitFor();
	await drawn(page);
	await place.go?.(page);
	await drawn(page);
	return page;
}

/** Waits until nothing moves and what was last changed is on the screen. */
export function drawn(page: Page): Promise<void> {
	return page.evaluate(async () => {
		const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
		await document.fonts.ready;
		await frame();
		const ends = document
			.getAnimations()
			.filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
		await Promise.allSettled(ends.map((one) => one.finished));
		await frame();
		await frame();
	});
}
