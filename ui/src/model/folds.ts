/** Rows of a list that are folded away: between places in the list and places among those that are shown. */
export class Folds {
	/** `hidden`: places in the list, rising. */
	constructor(readonly hidden: readonly number[] = []) {}

	/** How many of `total` rows are shown. */
	shown(total: number): number {
		return total - this.before(total);
	}

	has(index: number): boolean {
		return this.hidden[this.before(index)] === index;
	}

	/** The place among the shown rows; of a hidden one that of the row after it. */
	toShown(index: number): number {
		return index - this.before(index);
	}

	/** The place in the list of the row at `shown`. */
	toIndex(shown: number): number {
		// The place of the nth hidden row among the shown ones rises with n.
		let [from, to] = [0, this.hidden.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if ((this.hidden[middle] ?? 0) - middle <= shown) from = middle + 1;
			else to = middle;
		}
		return shown + from;
	}

	/** How many hidden rows stand before `index`. */
	private before(index: number): number {
		let [from, to] = [0, this.hidden.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if ((this.hidden[middle] ?? 0) < index) from = middle + 1;
			else to = middle;
		}
		return from;
	}
}
