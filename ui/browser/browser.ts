/** A page of the app in Debian's Chromium, on the fake host. */
import { type Browser, chromium, type Page } from "playwright-core";
import { inject } from "vitest";
import type { Place } from "./places";

export type Theme = "light" | "dark";
export const THEMES: readonly Theme[] = ["light", "dark"];

/** Width and height of the window. */
export type Size = readonly [width: number, height: number];
/** Those of the design, and the smallest that a window can have. */
export const SIZES: readonly [Size, Size, Size] = [
	[1440, 900],
	[1600, 950],
	[1100, 700],
];

export function launch(): Promise<Browser> {
	return chromium.launch({
		executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
		args: ["--no-sandbox"],
	});
}

/** Opens a window at a place and waits until it is drawn. The caller closes it. */
export async function open(browser: Browser, place: Place): Promise<Page> {
	const page = await browser.newPage({ reducedMotion: "reduce" });
	page.setDefaultTimeout(30_000);
	await resize(page, SIZES[0]);
	await page.goto(`${inject("page")}?${place.query ?? ""}`);
	await page.locator("#root > *").first().waitFor();
	await drawn(page);
	await place.go?.(page);
	await drawn(page);
	return page;
}

/** Forces a theme, whatever the setting says. */
export async function wear(page: Page, theme: Theme): Promise<void> {
	await page.evaluate((name) => {
		document.documentElement.dataset.theme = name;
	}, theme);
	await drawn(page);
}

export async function resize(page: Page, [width, height]: Size): Promise<void> {
	await page.setViewportSize({ width, height });
	await drawn(page);
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
