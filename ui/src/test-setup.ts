/** What jsdom lacks: sizes, media queries, and the ranges that the editor measures. */
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

/** A machine that builds something else at the same time is slow. */
configure({ asyncUtilTimeout: 10_000 });

/** Height and width of every element. */
const HEIGHT = 400;
const WIDTH = 900;

class NoSizes implements ResizeObserver {
	observe(): void {}
	unobserve(): void {}
	disconnect(): void {}
}
globalThis.ResizeObserver = NoSizes;

Object.defineProperty(HTMLElement.prototype, "clientHeight", { configurable: true, get: () => HEIGHT });
Object.defineProperty(HTMLElement.prototype, "clientWidth", { configurable: true, get: () => WIDTH });
Object.defineProperty(HTMLElement.prototype, "offsetHeight", { configurable: true, get: () => HEIGHT });
Object.defineProperty(HTMLElement.prototype, "offsetWidth", { configurable: true, get: () => WIDTH });
Object.defineProperty(HTMLElement.prototype, "scrollTo", { configurable: true, value: () => undefined });

Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () => new DOMRect();

window.matchMedia = (query) =>
	({
		matches: false,
		media: query,
		addEventListener: () => undefined,
		removeEventListener: () => undefined,
	}) as unknown as MediaQueryList;

afterEach(cleanup);
