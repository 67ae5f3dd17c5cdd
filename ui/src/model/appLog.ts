/** What this app writes about itself: read, and followed as it grows. */
import type { Backend } from "../ipc/backend";
import type { AppLogLevel, AppLogLine } from "../ipc/secrets";
import { words } from "./errors";
import { clock } from "./format";
import { Observable } from "./observable";
import { Reading } from "./reading";

/** The levels, falling. */
export const APP_LEVELS: readonly AppLogLevel[] = ["error", "warn", "info", "debug", "trace"];

/** What is shown of the lines. */
export interface AppLogFilter {
	/** Down to this level. */
	level: AppLogLevel;
	text: string;
}

export class AppLogStore extends Observable {
	lines: readonly AppLogLine[] = [];
	/** Down to which level lines are written; null before the host has said it. */
	level: AppLogLevel | null = null;
	path = "";
	/** Older lines that are in the file alone. */
	dropped = 0;
	/** What this app could not do, in words. */
	failure: string | null = null;
	private readonly reading = new Reading(
		() => this.backend.call("app_log", {}),
		(log) => {
			this.lines = log.lines;
			this.level = log.level;
			this.path = log.path;
			this.dropped = log.dropped;
		},
	);

	constructor(private readonly backend: Backend) {
		super();
	}

	/** Reads the lines, and again whenever more are there, until what it returns is called. */
	start(): () => void {
		const end = this.backend.listen("app-log-changed", () => void this.read());
		void this.read();
		return () => void end.then((stop) => stop());
	}

	/** Holds at once for what is written from now on, and for later runs of this app. */
	async setLevel(level: AppLogLevel): Promise<void> {
		const before = this.level;
		this.level = level;
		await this.attempt(() => this.backend.call("set_app_log_level", { level }));
		if (this.failure !== null) this.level = before;
		this.changed();
	}

	async openFolder(): Promise<void> {
		await this.attempt(() => this.backend.call("open_log_folder", {}));
	}

	private read(): Promise<void> {
		return this.attempt(() => this.reading.again());
	}

	private async attempt(act: () => Promise<unknown>): Promise<void> {
		try {
			await act();
			this.failure = null;
		} catch (error) {
			this.failure = words(error);
		}
		this.changed();
	}
}

/** The lines that a filter lets through. */
export function filterAppLog(lines: readonly AppLogLine[], { level, text }: AppLogFilter): AppLogLine[] {
	const down = APP_LEVELS.indexOf(level);
	const wanted = text.trim().toLowerCase();
	return lines.filter(
		(line) =>
			APP_LEVELS.indexOf(line.level) <= down &&
			(wanted === "" || `${line.target} ${line.text}`.toLowerCase().includes(wanted)),
	);
}

/** Lines as text, to be pasted into a report. */
export function appLogText(lines: readonly AppLogLine[]): string {
	return lines
		.map(
			({ at, level, target, text }) =>
				`${clock(at * 1000)} ${level.toUpperCase().padEnd(5)} ${target}: ${text}\n`,
		)
		.join("");
}
