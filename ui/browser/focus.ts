/** Walks a page with the Tab key. */
import type { Page } from "playwright-core";

/** More stops than any page has. */
const MAX_STOPS = 400;

/** Tabs through the page once; says what is focused without showing it, and what Tab and arrows cannot reach. */
export async function walk(page: Page): Promise<string[]> {
	await page.evaluate(watch);
	const problems: string[] = [];
	for (let i = 0; i < MAX_STOPS; i += 1) {
		await page.keyboard.press("Tab");
		const stop = await page.evaluate(() => (window as unknown as Walker).stop());
		if (stop === "end")
			return [...problems, ...(await page.evaluate(() => (window as unknown as Walker).missed()))];
		if (stop !== null) problems.push(stop);
	}
	return [...problems, `more than ${MAX_STOPS} stops: the focus is caught`];
}

interface Walker {
	/** Looks at what has the focus: what is wrong with it, null, or `end` once round. */
	stop: () => Promise<string | null | "end">;
	missed: () => string[];
}

/** Runs in the page. */
function watch(): void {
	const COMPOSITE =
		"[role=tablist], [role=listbox], [role=grid], [role=radiogroup], [role=menu], [role=tree], [role=treegrid], [role=toolbar], nav";
	const CONTROL =
		"a[href], button, input, select, textarea, [tabindex='0'], [contenteditable=true], [role=separator]";
	/** Frames. */
	const PATIENCE = 20;
	const seen = new Set<Element>();
	const name = (element: Element) =>
		`${element.tagName.toLowerCase()} “${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}”`;
	const drawn = (element: Element) => {
		const box = element.getBoundingClientRect();
		return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
	};
	// The ring is on the element, or on the field or editor around it.
	const ringed = (element: Element | null, up = 3): boolean => {
		if (!element || up === 0) return false;
		const { outlineStyle, outlineWidth } = getComputedStyle(element);
		return (
			(outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2) ||
			ringed(element.parentElement, up - 1)
		);
	};
	const walker: Walker = {
		async stop() {
			const element = document.activeElement;
			// Between the last element and the first.
			if (!element || element === document.body) return null;
			if (seen.has(element)) return "end";
			seen.add(element);
			// A dialog's own guards send the focus on.
			if (element.hasAttribute("data-base-ui-focus-guard")) return null;
			const box = element.getBoundingClientRect();
			if (!drawn(element)) return `${name(element)} has the focus and is not drawn`;
			if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth) {
				return `${name(element)} has the focus out of sight`;
			}
			const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
			const there = document.elementFromPoint(
				Math.min(Math.max(x, 0), innerWidth - 1),
				Math.min(Math.max(y, 0), innerHeight - 1),
			);
			if (there && !element.contains(there) && !there.contains(element) && !there.closest("label")) {
				return `${name(element)} has the focus, and ${name(there)} lies over it`;
			}
			// An editor draws its ring some time after it has the focus.
			for (let frame = 0; frame < PATIENCE; frame += 1) {
				if (ringed(element)) return null;
				await new Promise((resolve) => requestAnimationFrame(resolve));
			}
			return `${name(element)} has the focus without a ring`;
		},
		missed() {
			const modal = document.querySelector("[role=dialog], [role=menu]");
			return [...(modal ?? document).querySelectorAll(CONTROL)]
				.filter((element) => drawn(element) && !seen.has(element))
				.filter((element) => !element.matches(":disabled, [aria-disabled=true], [data-base-ui-focus-guard]"))
				.filter((element) => !element.closest(COMPOSITE) && !element.querySelector(COMPOSITE))
				.map((element) => `${name(element)} cannot be reached with Tab`);
		},
	};
	Object.assign(window, walker);
}
