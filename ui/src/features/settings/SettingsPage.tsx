import { type ReactNode, useState } from "react";
import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { Segments } from "../../components/Segments";
import { useStore } from "../../components/useStore";
import type { AppStore } from "../../model/appStore";
import { sentence, words } from "../../model/errors";
import type { Settings, Theme, TimeFormat } from "../../model/settings";
import { StoreFields } from "../secrets/StoreFields";
import { RetentionFields } from "./RetentionFields";
import css from "./Settings.module.css";

const THEMES = [
	{ value: "system", label: "as the system" },
	{ value: "light", label: "light" },
	{ value: "dark", label: "dark" },
] as const;

const TIMES = [
	{ value: "local", label: "local time" },
	{ value: "utc", label: "UTC" },
	{ value: "relative", label: "since the session began" },
] as const;

interface Props {
	app: AppStore;
	settings: Settings;
	onAbout: () => void;
}

/** What the user prefers, and what is kept for how long. */
export function SettingsPage({ app, settings, onAbout }: Props) {
	useStore(app);
	useStore(settings);
	return (
		<div className={css.page} data-testid={TESTID.settingsPage}>
			<Group title="Look">
				<Line label="Theme">
					<Segments<Theme>
						large
						label="Theme"
						value={settings.theme}
						onChange={(theme) => settings.setTheme(theme)}
						options={THEMES}
					/>
				</Line>
				<Line
					label="Times"
					hint="Of records in the timeline. The detail shows the full time to the microsecond."
				>
					<Segments<TimeFormat>
						large
						label="Times"
						value={settings.timeFormat}
						onChange={(format) => settings.setTimeFormat(format)}
						options={TIMES}
					/>
				</Line>
			</Group>
			<Group title="Sending">
				<Line
					label="Defaults"
					hint="Off: an optional field with a default is left out, and the server applies its own. On: forms begin with the declared default, and send it."
				>
					<label className={css.check}>
						<input
							type="checkbox"
							className="check"
							checked={settings.sendDefaults}
							data-testid={TESTID.sendDefaults}
							onChange={(event) => settings.setSendDefaults(event.target.checked)}
						/>
						Send the defaults that a tool declares
					</label>
				</Line>
			</Group>
			<Group title="Data">
				<Line
					label="Data folder"
					hint="Servers, sessions and settings. Nothing is kept elsewhere but secrets."
				>
					<DataFolder app={app} />
				</Line>
				<Line label="Secrets">
					<StoreFields store={app.secrets} />
				</Line>
				<Line label="Keep sessions">
					<RetentionFields app={app} />
				</Line>
			</Group>
			<Group title="This app">
				<Line
					label="App log"
					hint="What this app writes about itself, secrets masked: for a report of a fault in it."
				>
					<button
						type="button"
						className="btn"
						data-testid={TESTID.openAppLog}
						onClick={() => app.show("app-log")}
					>
						Show app log
					</button>
				</Line>
				<Line label="Version">
					<div className={css.folder}>
						<span className="mono selectable">Framescope {app.info?.version}</span>
						<button type="button" className="btn" data-testid={TESTID.openAbout} onClick={onAbout}>
							Licences and keys
						</button>
					</div>
				</Line>
			</Group>
		</div>
	);
}

function Group({ title, children }: { title: string; children: ReactNode }) {
	return (
		<section aria-label={title}>
			<h2>{title}</h2>
			{children}
		</section>
	);
}

function Line({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
	return (
		<div className={css.line}>
			<span>{label}</span>
			<div>
				{children}
				{hint !== undefined && <p className={css.hint}>{hint}</p>}
			</div>
		</div>
	);
}

function DataFolder({ app }: { app: AppStore }) {
	const [failure, setFailure] = useState<string | null>(null);
	const open = () => {
		setFailure(null);
		app.backend.call("open_data_folder", {}).catch((error: unknown) => setFailure(words(error)));
	};
	const folder = app.info?.dataDir ?? "";
	return (
		<>
			<div className={css.folder}>
				<span className="mono trunc selectable" title={folder} data-testid={TESTID.dataFolder}>
					{folder}
				</span>
				<CopyButton label="Copy path" text={() => folder} />
				<button type="button" className="btn" onClick={open}>
					Open folder
				</button>
			</div>
			{failure !== null && (
				<p className="sev-error xs" role="alert">
					{sentence(failure)}
				</p>
			)}
		</>
	);
}
