/** A list that is read one read at a time, so that an old answer never replaces a newer one. */
export class Reading<T> {
	private now: Promise<void> | null = null;
	private next: Promise<void> | null = null;
	private overtaken = false;

	constructor(
		private readonly ask: () => Promise<T>,
		private readonly take: (answer: T) => void,
	) {}

	/** Resolves once the answer of a read that began after this call is taken; rejects where the host refuses. */
	again(): Promise<void> {
		if (!this.now) {
			this.now = this.read();
			return this.now;
		}
		this.next ??= this.now
			.catch(() => undefined)
			.then(() => {
				this.next = null;
				return this.again();
			});
		return this.next;
	}

	/** Something new was told: an answer that is on its way may lack it, so that it is dropped and asked for again. */
	overtake(): void {
		this.overtaken = true;
	}

	private async read(): Promise<void> {
		try {
			for (;;) {
				this.overtaken = false;
				const answer = await this.ask();
				if (this.overtaken) continue;
				this.take(answer);
				return;
			}
		} finally {
			this.now = null;
		}
	}
}
