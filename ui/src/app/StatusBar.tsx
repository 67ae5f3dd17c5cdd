import { useEffect, useRef, useState } from "react";
import { Icon } from "../components/Icon";
import { MoonIcon, SunIcon, SystemIcon } from "../components/icons";
import { useMaybeStore, useStore } from "../components/useStore";
import type { AppStore } from "../model/appStore";
import { bytes, count } from "../model/format";
import type { Settings, Theme } from "../model/settings";
import { visible } from "../model/visible";
import css from "./App.module.css";
import { TESTID } from "./testids";

interface Props {
	app: AppStore;
	settings: Settings;
	onShortcuts: () => void;
}

/** What is being recorded, how fast, how much. */
export function StatusBar({ app, settings, onShortcuts }: Props) {
	useStore(app);
	const { session, live } = app;
	const rate = useRate(app);
	const view = useMaybeStore(useMaybeStore(app.open)?.view ?? null);
	// The open log knows sooner than the list of sessions.
	const records = Math.max(session?.records ?? 0, view?.logTotal ?? 0);
	return (
		<footer className={css.status} data-testid={TESTID.statusBar}>
			<span className={live.length > 0 ? undefined : "dim"}>
				<i className={live.length > 0 ? css.rec : css.notRec} />
				{live.length > 0
					? `REC ${count(live.length)} ${live.length === 1 ? "session" : "sessions"}`
					: "Not recording"}
			</span>
			{session && (
				<>
					<span className="mono">{count(rate)} frames/s</span>
					<span className="mono">
						{count(records)} {records === 1 ? "record" : "records"}
					</span>
					<span className="mono">{bytes(session.bytes)}</span>
					<span className="mono trunc">
						session {visible(session.server_name)} #{session.number}{" "}
						{session.ended_us === null ? "recording" : "closed, kept"}
					</span>
				</>
			)}
			<span className="grow" />
			<ThemeButton settings={settings} />
			<button type="button" title="Keyboard shortcuts (?)" onClick={onShortcuts}>
				<kbd>?</kbd> shortcuts
			</button>
		</footer>
	);
}

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const ICONS = { system: SystemIcon, light: SunIcon, dark: MoonIcon } as const;

function ThemeButton({ settings }: { settings: Settings }) {
	useStore(settings);
	const { theme } = settings;
	return (
		<button
			type="button"
			title="Theme: system, light, dark"
			data-testid={TESTID.theme}
			data-theme-setting={theme}
			onClick={() => settings.setTheme(NEXT[theme])}
		>
			<Icon of={ICONS[theme]} small /> {theme}
		</button>
	);
}

/** Records a second in the open session, over the last second. */
function useRate(app: AppStore): number {
	const view = useMaybeStore(app.open)?.view ?? null;
	const [rate, setRate] = useState(0);
	const last = useRef<number | null>(null);
	useEffect(() => {
		last.current = null;
		setRate(0);
		const timer = setInterval(() => {
			const now = view?.logTotal ?? 0;
			if (last.current !== null) setRate(Math.max(0, now - last.current));
			last.current = now;
		}, 1000);
		return () => clearInterval(timer);
	}, [view]);
	return rate;
}
