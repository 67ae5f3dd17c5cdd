/** Preferences of the page, kept by the host and read once. */
import type { Backend } from "../ipc/backend";
import { Observable } from "./observable";

export type Theme = "light" | "dark" | "system";

/** Sizes of a split's panels in per cent, by panel. */
export type Layout = Record<string, number>;

const KEYS = ["theme", "layout.work", "layout.tools", "layout.dock"] as const;
type Key = (typeof KEYS)[number];

export class Settings extends Observable {
	private readonly values = new Map<Key, unknown>();

	constructor(private readonly backend: Backend) {
		super();
	}

	async load(): Promise<void> {
		await Promise.all(
			KEYS.map(async (key) => {
				this.values.set(key, await this.backend.call("get_setting", { key }).catch(() => null));
			}),
		);
		this.changed();
	}

	get theme(): Theme {
		const value = this.values.get("theme");
		return value === "light" || value === "dark" ? value : "system";
	}

	setTheme(theme: Theme): void {
		this.set("theme", theme);
	}

	/** A split's kept sizes, if they are those of `panels`. */
	layout(split: "work" | "tools" | "dock", panels: readonly string[]): Layout | undefined {
		const value = this.values.get(`layout.${split}`);
		if (typeof value !== "object" || value === null) return undefined;
		const layout = value as Layout;
		const fits =
			Object.keys(layout).length === panels.length && panels.every((id) => typeof layout[id] === "number");
		return fits ? layout : undefined;
	}

	setLayout(split: "work" | "tools" | "dock", layout: Layout): void {
		this.set(`layout.${split}`, layout);
	}

	private set(key: Key, value: unknown): void {
		this.values.set(key, value);
		this.changed();
		void this.backend.call("set_setting", { key, value }).catch(() => undefined);
	}
}
