/** What a form knows beside the text: what was typed and switched off, what is folded. Kept as long as its text. */

export class FormMemory {
	/** Values that were switched off, by row and state or variant: switching back brings them back. */
	readonly kept = new Map<string, string>();
	/** Variants that were chosen by hand, by row and level. */
	readonly chosen = new Map<string, number>();
	/** Rows that are edited as JSON by choice. */
	readonly asJson = new Set<string>();
	/** Rows whose children are hidden. */
	readonly folded = new Set<string>();
	/** Warnings that were waved through: place, value and message. */
	readonly waved = new Set<string>();
	/** Rows that were left once: what is missing there is said from then on. */
	readonly touched = new Set<string>();

	clear(): void {
		for (const keys of [this.kept, this.chosen, this.asJson, this.folded, this.waved, this.touched])
			keys.clear();
	}

	/** Forgets what belongs to rows below a place whose numbering has changed. */
	forgetBelow(id: string): void {
		for (const keys of [this.kept, this.chosen, this.asJson, this.folded, this.touched]) {
			for (const key of [...keys.keys()]) if (key.startsWith(`${id}/`)) keys.delete(key);
		}
	}
}
