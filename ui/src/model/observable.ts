/** What React's `useSyncExternalStore` needs of a model: subscribe, and a value that changes when it does. */

/** Tells its listeners that something changed. */
export class Observable {
	private readonly listeners = new Set<() => void>();
	private revision = 0;

	readonly subscribe = (listener: () => void): (() => void) => {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	};

	/** Grows with each change; the snapshot of models that change in place. */
	readonly version = (): number => this.revision;

	protected changed(): void {
		this.revision += 1;
		for (const listener of [...this.listeners]) listener();
	}
}
