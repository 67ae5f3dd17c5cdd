/** What this app would write about itself. */
import type { AppLog, AppLogLevel, AppLogLine } from "../secrets";
import type { Area, Host } from "./host";

type Names = "app_log" | "set_app_log_level" | "open_log_folder";

const STORY: readonly [AppLogLevel, string, string][] = [
	["info", "framescope", "started 0.1.0, data folder /home/ada/.local/share/dev.framescope.desktop"],
	["debug", "framescope::catalogue", "catalogue opened, schema 9, 3 servers"],
	["info", "framescope::retention", "nothing to delete"],
	["warn", "framescope::secrets", "no Secret Service answers on the session bus: secrets are kept in memory"],
	["info", "framescope_core::stdio", "orders-mcp: pid 48213 started"],
	["trace", "framescope_core::stdio", "orders-mcp: 184 B from stdout"],
	["debug", "framescope_core::http", "billing-http: POST /mcp → 200 in 41 ms, authorization ••••91f0"],
	[
		"error",
		"framescope_core::record",
		"session 5: commit took 1.2 s: the disk is slow\n  caused by: database is busy (5)\n  at 14:02:11.046 in segment 3",
	],
	["warn", "framescope_core::watch", "path \u202egnp.exe is watched by its folder: it is not there yet"],
];

const LEVELS: readonly AppLogLevel[] = ["error", "warn", "info", "debug", "trace"];

export class OwnLog {
	private readonly lines: AppLogLine[];
	private level: AppLogLevel = "info";

	constructor(
		private readonly host: Host,
		/** Lines that were written before. */
		more: number,
	) {
		const now = Date.now();
		this.lines = [...many(more), ...STORY].map(([level, target, text], i, { length }) => ({
			at: now - (length - i) * 1700,
			level,
			target,
			text,
		}));
	}

	readonly commands: Area<Names> = {
		app_log: (): AppLog => ({
			lines: this.lines.slice(-2000),
			level: this.level,
			path: "/home/ada/.local/share/dev.framescope.desktop/logs/framescope.log",
			dropped: Math.max(0, this.lines.length - 2000),
		}),
		set_app_log_level: ({ level }) => {
			this.level = level;
			return null;
		},
		open_log_folder: () => null,
	};

	/** Writes a line, where the level lets it through. */
	write(level: AppLogLevel, text: string): void {
		if (LEVELS.indexOf(level) > LEVELS.indexOf(this.level)) return;
		this.lines.push({ at: Date.now(), level, target: "framescope", text });
		this.host.emit("app-log-changed", null);
	}
}

function many(n: number): [AppLogLevel, string, string][] {
	return Array.from({ length: n }, (_, i) => ["debug", "framescope_core::record", `segment ${i + 1} closed`]);
}
