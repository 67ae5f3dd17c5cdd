/**
 * Scrolling a list that is taller than a browser lets an element be. The element is at most `MAX_HEIGHT` tall; small
 * movements are taken pixel for pixel, and a jump (the thumb) by proportion.
 */

/** Well under the limits of WebKit, Blink and Gecko. */
export const MAX_HEIGHT = 8_000_000;

/** How many windows from an end are near it. */
const NEAR = 10;

export class ScrollScale {
	/** Position in the whole list, pixels. */
	top = 0;
	/** Height of the whole list and of the window on it. */
	private full = 0;
	private window = 0;
	private last = 0;

	constructor(private readonly max = MAX_HEIGHT) {}

	/** Height to give to the element. */
	get height(): number {
		return Math.min(this.full, this.max);
	}

	/** What to take off a place in the list to get its place in the element. */
	get offset(): number {
		return this.top - this.last;
	}

	/** The greatest position. */
	get end(): number {
		return Math.max(0, this.full - this.window);
	}

	/** Takes in new heights; the position stays, as far as there is one. */
	resize(full: number, window: number): void {
		this.full = full;
		this.window = window;
		this.top = this.clamp(this.top);
		if (full <= this.max) this.last = this.top;
	}

	/** Takes in the element's scroll position; returns the one it should have instead, or null. */
	scrolled(to: number): number | null {
		if (this.full <= this.max) {
			this.top = to;
			this.last = to;
			return null;
		}
		const delta = to - this.last;
		this.last = to;
		if (Math.abs(delta) > 2 * this.window) {
			this.top = this.clamp((to / this.reach) * this.end);
			return null;
		}
		this.top = this.clamp(this.top + delta);
		// At an end of the one but not of the other: lined up again, so that both ends can be reached.
		const atStart = to <= 0 !== this.top <= 0;
		const atEnd = to >= this.reach !== this.top >= this.end;
		return atStart || atEnd ? this.go(this.top) : null;
	}

	/** Goes to a position in the list; returns the element's scroll position for it. */
	go(top: number): number {
		this.top = this.clamp(top);
		this.last = this.full <= this.max ? this.top : this.scaled(this.top);
		return this.last;
	}

	/** By proportion; near the ends pixel for pixel, so that small movements get there. */
	private scaled(top: number): number {
		const near = NEAR * this.window;
		if (top < near) return top;
		if (this.end - top < near) return this.reach - (this.end - top);
		return Math.min(Math.max(near, Math.round((top / this.end) * this.reach)), this.reach - near);
	}

	/** The element's greatest scroll position. */
	private get reach(): number {
		return Math.max(1, this.height - this.window);
	}

	private clamp(top: number): number {
		return Math.min(Math.max(0, top), this.end);
	}
}
