/** Preferences of the page, kept by the host and read once. */
import type { Backend } from "../ipc/backend";
import { words } from "./errors";
import { Observable } from "./observable";

export type Theme = "light" | "dark" | "system";

/** How times of records are written: of the day here, of the day in UTC, or since the session began. */
export type TimeFormat = "local" | "utc" | "relative";

/** Sizes of a split's panels in per cent, by panel. */
export type Layout = Record<string, number>;

/** A split whose sizes are kept. */
export type SplitName = "work" | "tools" | "server" | "dock" | "sessions";

/** A table whose columns' widths are kept. */
export type Table = "timeline" | "sessions";

/** Widths of a table's columns in pixels, by column; only those that the user has set. */
export type Widths = Record<string, number>;

const KEYS = [
	"theme",
	"time-format",
	"send-defaults",
	"rail",
	"layout.work",
	"layout.tools",
	"layout.server",
	"layout.dock",
	"layout.sessions",
	"columns.timeline",
	"columns.sessions",
] as const;
type Key = (typeof KEYS)[number];

export class Settings extends Observable {
	private readonly values = new Map<Key, unknown>();

	constructor(
		private readonly backend: Backend,
		/** Hears in words what could not be kept. */
		private readonly tell: (problem: string) => void = () => undefined,
	) {
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

	get timeFormat(): TimeFormat {
		const value = this.values.get("time-format");
		return value === "utc" || value === "relative" ? value : "local";
	}

	setTimeFormat(format: TimeFormat): void {
		this.set("time-format", format);
	}

	/** Forms begin with the defaults that the schema declares, instead of leaving optional fields out. */
	get sendDefaults(): boolean {
		return this.values.get("send-defaults") === true;
	}

	setSendDefaults(on: boolean): void {
		this.set("send-defaults", on);
	}

	/** The rail shows icons alone. */
	get railCollapsed(): boolean {
		return this.values.get("rail") === "collapsed";
	}

	setRailCollapsed(on: boolean): void {
		this.set("rail", on ? "collapsed" : null);
	}

	/** A split's kept sizes, if they are those of `panels`. */
	layout(split: SplitName, panels: readonly string[]): Layout | undefined {
		const layout = numbers(this.values.get(`layout.${split}`));
		const fits = Object.keys(layout).length === panels.length && panels.every((id) => id in layout);
		return fits ? layout : undefined;
	}

	setLayout(split: SplitName, layout: Layout): void {
		this.set(`layout.${split}`, layout);
	}

	widths(table: Table): Widths {
		return numbers(this.values.get(`columns.${table}`));
	}

	setWidths(table: Table, widths: Widths): void {
		this.set(`columns.${table}`, widths);
	}

	private set(key: Key, value: unknown): void {
		this.values.set(key, value);
		this.changed();
		void this.backend.call("set_setting", { key, value }).catch((error: unknown) => {
			this.tell(`This app could not keep a setting: it holds until the window is closed. ${words(error)}`);
		});
	}
}

/** What is kept may be of another version, or edited by hand: the members that are numbers. */
function numbers(value: unknown): Record<string, number> {
	if (typeof value !== "object" || value === null) return {};
	return Object.fromEntries(
		Object.entries(value).filter(([, size]) => typeof size === "number" && Number.isFinite(size)),
	) as Record<string, number>;
}
