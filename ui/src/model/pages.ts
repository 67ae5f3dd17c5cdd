/** A bounded cache of a list's rows, in pages. Memory is the number of pages, whatever the list's length. */

/** Rows of a page. */
export const PAGE = 100;
/** Pages kept. */
const MAX_PAGES = 200;

/** Least recently used pages of rows; a page may have holes. */
export class Pages<T> {
	/** In the order of use: a Map iterates in the order of insertion. */
	private readonly pages = new Map<number, (T | undefined)[]>();

	constructor(private readonly limit = MAX_PAGES) {}

	/** The row at `index`, if it is here. Does not count as a use. */
	get(index: number): T | undefined {
		return this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
	}

	/** Puts consecutive rows from `index` on. */
	put(index: number, rows: readonly T[]): void {
		rows.forEach((row, i) => {
			const at = index + i;
			this.touch(Math.floor(at / PAGE))[at % PAGE] = row;
		});
	}

	/** Whether page `n` has all rows of a list of `total`; counts as a use. */
	complete(n: number, total: number): boolean {
		const page = this.pages.get(n);
		if (!page) return false;
		this.touch(n);
		const rows = Math.min(PAGE, total - n * PAGE);
		for (let i = 0; i < rows; i += 1) if (page[i] === undefined) return false;
		return true;
	}

	/** Replaces the rows that `same` recognises. */
	replace(row: T, same: (old: T) => boolean): void {
		for (const page of this.pages.values()) {
			const at = page.findIndex((old) => old !== undefined && same(old));
			if (at >= 0) {
				page[at] = row;
				return;
			}
		}
	}

	clear(): void {
		this.pages.clear();
	}

	/** Pages held, for tests. */
	get size(): number {
		return this.pages.size;
	}

	private touch(n: number): (T | undefined)[] {
		const page = this.pages.get(n) ?? [];
		this.pages.delete(n);
		this.pages.set(n, page);
		if (this.pages.size > this.limit) {
			const oldest = this.pages.keys().next().value;
			if (oldest !== undefined) this.pages.delete(oldest);
		}
		return page;
	}
}
