import { useEffect, useState } from "react";
import { Icon } from "../components/Icon";
import { CloseIcon, ErrorIcon } from "../components/icons";
import { Logo } from "../components/Logo";
import { useStore } from "../components/useStore";
import { Rail } from "../features/servers/Rail";
import { ServerHeader } from "../features/servers/ServerHeader";
import type { AppStore } from "../model/appStore";
import type { CallStore } from "../model/calls";
import { sentence } from "../model/errors";
import { count } from "../model/format";
import type { Settings } from "../model/settings";
import css from "./App.module.css";
import { ErrorBoundary } from "./ErrorBoundary";
import { Shortcuts } from "./Shortcuts";
import { StatusBar } from "./StatusBar";
import { useTheme } from "./theme";
import { useAppKeys } from "./useAppKeys";
import { Workspace } from "./Workspace";

interface Props {
	app: AppStore;
	calls: CallStore;
	settings: Settings;
}

/** The window. */
export function App({ app, calls, settings }: Props) {
	useStore(app);
	useStore(settings);
	useTheme(settings.theme);
	useStart(app);
	const [maximised, setMaximised] = useState(false);
	const [shortcuts, setShortcuts] = useState(false);
	useAppKeys({ app, maximised, setMaximised, onShortcuts: () => setShortcuts(true) });
	return (
		<div className={css.app}>
			<header className={css.banner}>
				<div className={css.brand}>
					<Logo />
					Framescope
				</div>
				<div className={css.top}>
					<ServerHeader app={app} />
				</div>
			</header>
			<div className={css.rail}>
				<ErrorBoundary part="the list of servers">
					<Rail app={app} />
				</ErrorBoundary>
			</div>
			<main className={css.work}>
				<Strips app={app} />
				<div className={css.fill}>
					<Workspace
						app={app}
						calls={calls}
						settings={settings}
						maximised={maximised}
						onMaximise={() => setMaximised(!maximised)}
					/>
				</div>
				<NotRecording app={app} />
			</main>
			<StatusBar app={app} settings={settings} onShortcuts={() => setShortcuts(true)} />
			<Shortcuts open={shortcuts} onClose={() => setShortcuts(false)} />
		</div>
	);
}

/** What went wrong, over the workspace: on our side, or in connecting. */
function Strips({ app }: { app: AppStore }) {
	const conn = app.session?.conn;
	return (
		<>
			{app.problem !== null && (
				<div className="strip err" role="alert">
					<Icon of={ErrorIcon} small />
					<span className="grow selectable">{sentence(app.problem)}</span>
					<button
						type="button"
						className="btn ghost sm ico"
						aria-label="Dismiss"
						onClick={() => app.clearProblem()}
					>
						<Icon of={CloseIcon} small />
					</button>
				</div>
			)}
			{conn?.state === "failed" && !app.adding && (
				<div className="strip err" role="alert">
					<Icon of={ErrorIcon} small />
					<span className="selectable">{sentence(conn.message)}</span>
				</div>
			)}
		</>
	);
}

/** Over the status bar: this app must never pretend to record. */
function NotRecording({ app }: { app: AppStore }) {
	const conn = app.session?.conn;
	if (conn?.state !== "not-recording") return null;
	return (
		<div className="strip err" role="alert">
			<Icon of={ErrorIcon} small />
			<span className="selectable">
				<b className="sev-error">This app is not recording</b> since #{count(conn.since)}: {conn.why}
			</span>
		</div>
	);
}

/** Starts the model once, and ends its listening with the window. */
function useStart(app: AppStore): void {
	useEffect(() => {
		const end = app.start();
		return () => {
			void end.then((stop) => stop());
		};
	}, [app]);
}
