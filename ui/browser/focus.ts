/** Walks a page with the Tab key. */
import type { Page } from "playwright-core";

/** More stops than any page has. */
const MAX_STOPS = 400;

/** Tabs through the page; says what is focused without showing it, and what Tab and arrows cannot reach. */
export async function walk(page: Page): Promise<string[]> {
	await page.evaluate(watch);
	const problems = await round(page);
	const missed = () => page.evaluate(() => (window as unknown as Walker).missed());
	// What comes up behind the focus, the words under a field that was left empty say, is met on a second round.
	if ((await missed()).length > 0) problems.push(...(await round(page)));
	return [...problems, ...(await missed())];
}

async function round(page: Page): Promise<string[]> {
	await page.evaluate(() => (window as unknown as Walker).begin());
	const problems: string[] = [];
	for (let i = 0; i < MAX_STOPS; i += 1) {
		await page.keyboard.press("Tab");
		const stop = await page.evaluate(() => (window as unknown as Walker).stop());
		if (stop === "end") return problems;
		if (stop !== null) problems.push(stop);
	}
	return [...problems, `more than ${MAX_STOPS} stops: the focus is caught`];
}

interface Walker {
	begin: () => void;
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
	let round = new Set<Element>();
	let last: Element | null = null;
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
	// What of an element its scrolling ancestors show; all of it where they show nothing.
	const inScrollers = (element: Element, box: DOMRect): DOMRect => {
		let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
		for (let up = element.parentElement; up; up = up.parentElement) {
			if (getComputedStyle(up).overflow === "visible") continue;
			const edge = up.getBoundingClientRect();
			[left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
			[top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
		}
		return left < right && top < bottom ? new DOMRect(left, top, right - left, bottom - top) : box;
	};
	// What lies over the middle of an element and all of its corners: WCAG 2.2, 2.4.11, Focus Not Obscured (Minimum).
	const covers = (element: Element, whole: DOMRect): Element | null => {
		const box = inScrollers(element, whole);
		const [w, h] = [Math.min(4, box.width / 4), Math.min(4, box.height / 4)];
		const points = [
			[box.left + box.width / 2, box.top + box.height / 2],
			[box.left + w, box.top + h],
			[box.right - w, box.top + h],
			[box.left + w, box.bottom - h],
			[box.right - w, box.bottom - h],
		] as const;
		const tops = points.map(([x, y]) => document.elementFromPoint(x, y));
		const sees = (there: Element | null) =>
			there !== null &&
			(element.contains(there) || there.contains(element) || there.closest("label") !== null);
		return tops.some(sees) ? null : (tops.find((there) => there !== null) ?? null);
	};
	const walker: Walker = {
		begin() {
			round = new Set();
			last = null;
		},
		async stop() {
			const element = document.activeElement;
			// Between the last element and the first.
			if (!element || element === document.body) return null;
			// A player has several stops within.
			if (element === last && element.matches("audio, video")) return null;
			last = element;
			if (round.has(element)) return "end";
			round.add(element);
			seen.add(element);
			// A dialog's own guards send the focus on.
			if (element.hasAttribute("data-base-ui-focus-guard")) return null;
			const box = element.getBoundingClientRect();
			if (!drawn(element)) return `${name(element)} has the focus and is not drawn`;
			if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth) {
				return `${name(element)} has the focus out of sight`;
			}
			const over = covers(element, box);
			if (over) return `${name(element)} has the focus, and ${name(over)} lies over it`;
			// An editor draws its ring some time after it has the focus.
			for (let frame = 0; frame < PATIENCE; frame += 1) {
				if (ringed(element)) return null;
				await new Promise((resolve) => requestAnimationFrame(resolve));
			}
			return `${name(element)} has the focus without a ring`;
		},
		missed() {
			const modal = document.querySelector("[role=dialog], [role=menu]");
			return (
				[...(modal ?? document).querySelectorAll(CONTROL)]
					.filter((element) => drawn(element) && !seen.has(element))
					// Out of the Tab order on purpose: it has keys of its own, and names them.
					.filter((element) => !element.matches("[tabindex='-1'][aria-keyshortcuts]"))
					// Holds a combobox's value for a form, and is no control of its own.
					.filter((element) => !element.matches("input[tabindex='-1'][aria-hidden=true]"))
					.filter(
						(element) => !element.matches(":disabled, [aria-disabled=true], [data-base-ui-focus-guard]"),
					)
					.filter((element) => !element.closest(COMPOSITE) && !element.querySelector(COMPOSITE))
					.map((element) => `${name(element)} cannot be reached with Tab`)
			);
		},
	};
	Object.assign(window, walker);
}
