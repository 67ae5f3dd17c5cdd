/**
 * How fast the page is with much to show, on the fake host: `npm run speed`, one case with `-- -t NAME`. It prints what it
 * measures and asserts no times, which are those of the machine; how many elements a view has does not depend on that.
 */
import { appendFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, open } from "./browser";

/** Elements that a view of a long value has at most. */
const MAX_NODES = 2000;

let browser: Browser;
beforeAll(async () => {
	browser = await launch();
});
afterAll(() => browser.close());

/** What an act came to. */
interface Figures {
	/** Milliseconds until what was waited for was there. */
	took: number;
	/** The longest time for which nothing else could be done, milliseconds. */
	blocked: number;
	/** Elements of the page. */
	nodes: number;
}

/** Tasks of the page over 50 ms, as the browser counts them. */
interface Watched {
	tasks: number[];
}

/** Opens a window with the fake host in a state, and begins to watch its long tasks. */
async function visit(query: string): Promise<Page> {
	const page = await open(browser, { name: "speed", query });
	await page.evaluate(() => {
		const watched: Watched = { tasks: [] };
		Object.assign(window, { watched });
		new PerformanceObserver((list) => {
			for (const { duration } of list.getEntries()) watched.tasks.push(duration);
		}).observe({ entryTypes: ["longtask"] });
	});
	return page;
}

/** Does something and waits until `there` holds in the page, looking at each frame. */
async function measure(page: Page, act: () => Promise<unknown>, there: string): Promise<Figures> {
	const began = await page.evaluate(() => {
		(window as unknown as { watched: Watched }).watched.tasks = [];
		return performance.now();
	});
	await act();
	await page.waitForFunction(there, undefined, { polling: "raf", timeout: 300_000 });
	// The observer hears of a task after it.
	return page.evaluate(async (from) => {
		const took = performance.now() - from;
		await new Promise((resolve) => setTimeout(resolve, 100));
		const { tasks } = (window as unknown as { watched: Watched }).watched;
		return { took, blocked: Math.max(0, ...tasks), nodes: document.querySelectorAll("*").length };
	}, began);
}

function say(name: string, { took, blocked, nodes }: Figures): void {
	const line = `${name.padEnd(44)} ${took.toFixed(0).padStart(7)} ms   longest task ${blocked.toFixed(0).padStart(5)} ms   ${nodes} elements\n`;
	process.stdout.write(line);
	if (process.env.SPEED_FILE) appendFileSync(process.env.SPEED_FILE, line);
}

/** Frame times while something scrolls for some seconds. */
async function scrolled(page: Page, selector: string): Promise<{ median: number; worst: number }> {
	return page.evaluate(async (where) => {
		const element = document.querySelector(where);
		if (!element) throw new Error(`no ${where}`);
		const times: number[] = [];
		let last = performance.now();
		for (let i = 0; i < 120; i += 1) {
			element.scrollTop += 137;
			await new Promise((resolve) => requestAnimationFrame(resolve));
			const now = performance.now();
			times.push(now - last);
			last = now;
		}
		times.sort((a, b) => a - b);
		return { median: times[60] ?? 0, worst: times.at(-1) ?? 0 };
	}, selector);
}

function sayFrames(name: string, { median, worst }: { median: number; worst: number }): void {
	const line = `${name.padEnd(44)} ${median.toFixed(1).padStart(7)} ms a frame, worst ${worst.toFixed(1)} ms\n`;
	process.stdout.write(line);
	if (process.env.SPEED_FILE) appendFileSync(process.env.SPEED_FILE, line);
}

const BODY = '[data-testid="detail-body"]';
/** The detail of the long record has text. */
const READABLE = `document.querySelector('${BODY} .cm-line')?.textContent?.length > 0`;
const ALL = `/Showing all/.test(document.querySelector('[data-testid="long-bar"]')?.textContent ?? "") && ${READABLE}`;

describe("a long result", () => {
	it.each(["big-1", "big-10", "big-100", "deep", "wide"])("%s", async (scenario) => {
		const page = await visit(`scenario=${scenario}`);
		try {
			const row = page.locator('[data-testid=timeline-row][data-seq="21"]');
			const first = await measure(page, () => row.click(), READABLE);
			say(`${scenario}: its beginning`, first);
			expect(first.nodes).toBeLessThan(MAX_NODES);
			const more = page.getByRole("button", { name: "Show all" }).last();
			if ((await more.count()) > 0) {
				const all = await measure(page, () => more.click(), ALL);
				say(`${scenario}: all of it`, all);
				expect(all.nodes).toBeLessThan(MAX_NODES);
			}
			await page.locator(`${BODY} .cm-content`).focus();
			const found = await measure(
				page,
				async () => {
					await page.keyboard.press("Control+f");
					await page.locator(`${BODY} .cm-search input[name=search]`).fill("KX-90");
					await page.keyboard.press("Enter");
				},
				`document.querySelector('${BODY} .cm-search') !== null`,
			);
			say(`${scenario}: a search in it`, found);
			await page.locator(`${BODY} .cm-content`).focus();
			say(
				`${scenario}: all unfolded`,
				await measure(page, () => page.keyboard.press("Control+Alt+]"), READABLE),
			);
			sayFrames(`${scenario}: scrolling`, await scrolled(page, `${BODY} .cm-scroller`));
		} finally {
			await page.close();
		}
	});
});

it("50 000 sessions", async () => {
	const page = await visit("sessions=50000");
	try {
		const rows = await measure(
			page,
			() => page.getByTestId("all-sessions").click(),
			`document.querySelector('[data-testid="session-line"]') !== null`,
		);
		say("50 000 sessions: first rows", rows);
		expect(rows.nodes).toBeLessThan(MAX_NODES);
		const all = await measure(
			page,
			async () => undefined,
			`Number(document.querySelector('[data-testid="session-grid"]')?.getAttribute("aria-rowcount")) > 49000`,
		);
		say("50 000 sessions: all of them", all);
		const sort = () => page.getByTitle(/^Sort by frames/).click();
		say("50 000 sessions: sorted anew", await measure(page, sort, "true"));
		sayFrames("50 000 sessions: scrolling", await scrolled(page, '[data-testid="session-grid"]'));
	} finally {
		await page.close();
	}
});

it("5 000 tools", async () => {
	const page = await visit("tools=5000");
	try {
		const search = page.getByTestId("tool-search");
		const rows = `document.querySelectorAll('[data-testid="tool-row"]').length`;
		const found = await measure(page, () => search.fill("awkward"), `${rows} === 1`);
		say("5 000 tools: a search", found);
		expect(found.nodes).toBeLessThan(MAX_NODES);
		const form = await measure(
			page,
			() => page.locator('[data-tool="faults.awkward"]').click(),
			`document.querySelector('[data-row="/country"]') !== null`,
		);
		say("13 kB of description, 126 values: its form", form);
		const key = await measure(
			page,
			() => page.locator('[data-row="/text"] textarea').first().pressSequentially("0123456789"),
			`/0123456789/.test(document.querySelector('[data-testid="will-send"]')?.textContent ?? "")`,
		);
		say("13 kB of description, 126 values: ten keys", key);
		say("5 000 tools: all of them again", await measure(page, () => search.fill(""), `${rows} > 5`));
		sayFrames("5 000 tools: scrolling", await scrolled(page, "main [role=listbox]"));
	} finally {
		await page.close();
	}
});

it("200 000 notifications at full speed", async () => {
	const page = await visit("scenario=flood");
	try {
		const all = `/200.?0\\d\\d/.test(document.querySelector('[data-testid="filter-count"]')?.textContent ?? "")`;
		const flood = await measure(page, async () => undefined, all);
		say("200 000 notifications", flood);
		expect(flood.nodes).toBeLessThan(MAX_NODES);
		sayFrames("200 000 notifications: scrolling", await scrolled(page, '[data-testid="timeline"]'));
	} finally {
		await page.close();
	}
});
