import { Icon } from "../components/Icon";
import { MoonIcon, SunIcon, SystemIcon } from "../components/icons";
import { useStore } from "../components/useStore";
import type { SessionRow } from "../ipc/bindings/SessionRow";
import type { StatsRow } from "../ipc/bindings/StatsRow";
import type { AppStore } from "../model/appStore";
import { bytes, count, duration, plural } from "../model/format";
import type { Settings, Theme, TimeFormat } from "../model/settings";
import { visible } from "../model/visible";
import css from "./App.module.css";
import { TESTID } from "./testids";

interface Props {
	app: AppStore;
	settings: Settings;
	onShortcuts: () => void;
}

/** What is being recorded, how fast, how much, and how soon it is on disk. */
export function StatusBar({ app, settings, onShortcuts }: Props) {
	useStore(app);
	useStore(settings);
	return (
		<footer className={css.status} data-testid={TESTID.statusBar}>
			{app.stats && <Figures stats={app.stats} />}
			{app.session && app.page === "session" && <SessionWords row={app.session} />}
			<span className="grow" />
			<Cycle
				values={TIMES}
				value={settings.timeFormat}
				title="Times: local, UTC, since the session began"
				testId={TESTID.timeFormat}
				onChange={(format) => settings.setTimeFormat(format)}
			/>
			<Cycle
				values={THEMES}
				value={settings.theme}
				title="Theme: system, light, dark"
				testId={TESTID.theme}
				onChange={(theme) => settings.setTheme(theme)}
			/>
			<button type="button" title="Keyboard shortcuts (?)" onClick={onShortcuts}>
				<kbd>?</kbd> shortcuts
			</button>
		</footer>
	);
}

function Figures({ stats }: { stats: StatsRow }) {
	const { recording, per_second, disk_bytes, commit_p99_us } = stats;
	return (
		<>
			<span className={recording > 0 ? undefined : "dim"}>
				<i className={recording > 0 ? css.rec : css.notRec} />
				{recording > 0 ? `REC ${plural(recording, "session")}` : "Nothing to record"}
			</span>
			<span className="mono" title="Records a second over the last second, all sessions">
				{count(per_second)} frames/s
			</span>
			<span className="mono" title="The catalogue and all sessions on disk">
				db {bytes(disk_bytes)}
			</span>
			{commit_p99_us !== null && (
				<span
					className="mono"
					title="99 of 100 frames were on disk so soon after they were read, over the last minute"
				>
					commit p99 {duration(commit_p99_us)}
				</span>
			)}
		</>
	);
}

function SessionWords({ row }: { row: SessionRow }) {
	return (
		<span className="mono trunc">
			session {visible(row.server_name)} #{row.number} {standing(row)}
		</span>
	);
}

function standing({ ended_us, elsewhere, conn }: SessionRow): string {
	if (conn.state === "not-recording") return "not recording, kept";
	if (ended_us !== null) return "closed, kept";
	return elsewhere ? "recorded by another process" : "recording";
}

const TIMES: Record<TimeFormat, { next: TimeFormat; words: string }> = {
	local: { next: "utc", words: "local time" },
	utc: { next: "relative", words: "UTC" },
	relative: { next: "local", words: "since start" },
};

const THEMES: Record<Theme, { next: Theme; words: string; icon: typeof SunIcon }> = {
	system: { next: "light", words: "system", icon: SystemIcon },
	light: { next: "dark", words: "light", icon: SunIcon },
	dark: { next: "system", words: "dark", icon: MoonIcon },
};

interface CycleProps<T extends string> {
	values: Record<T, { next: T; words: string; icon?: typeof SunIcon }>;
	value: T;
	title: string;
	testId: string;
	onChange: (value: T) => void;
}

/** A preference of few values: a press goes to the next. */
function Cycle<T extends string>({ values, value, title, testId, onChange }: CycleProps<T>) {
	const { next, words, icon } = values[value];
	return (
		<button
			type="button"
			title={title}
			data-testid={testId}
			data-value={value}
			onClick={() => onChange(next)}
		>
			{icon && <Icon of={icon} small />} {words}
		</button>
	);
}
