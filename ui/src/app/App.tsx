import { useEffect, useState } from "react";
import { Logo } from "../components/Logo";
import { useStore } from "../components/useStore";
import { About } from "../features/about/About";
import { AppLogPage } from "../features/applog/AppLogPage";
import { ExportDialog } from "../features/exporting/ExportDialog";
import { Palette } from "../features/palette/Palette";
import { Consent } from "../features/servers/Consent";
import { Rail } from "../features/servers/Rail";
import { ServerForm } from "../features/servers/ServerForm";
import { SessionsPage } from "../features/sessions/SessionsPage";
import { SettingsPage } from "../features/settings/SettingsPage";
import type { AppStore } from "../model/appStore";
import type { CallStore } from "../model/calls";
import type { Settings } from "../model/settings";
import css from "./App.module.css";
import { ErrorBoundary } from "./ErrorBoundary";
import { Shortcuts } from "./Shortcuts";
import { StatusBar } from "./StatusBar";
import { NotRecording, Strips } from "./Strips";
import { TopBar } from "./TopBar";
import { useTheme } from "./theme";
import { useAppKeys } from "./useAppKeys";
import { usePaletteGroups } from "./usePaletteGroups";
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
	const [palette, setPalette] = useState(false);
	const [about, setAbout] = useState(false);
	const collapsed = settings.railCollapsed;
	const commands = useAppKeys({
		app,
		settings,
		maximised,
		setMaximised,
		onPalette: () => setPalette(!palette),
		onShortcuts: () => setShortcuts(true),
		onAbout: () => setAbout(true),
	});
	const groups = usePaletteGroups(app, palette, commands);
	return (
		<div className={`${css.app} ${collapsed ? css.collapsed : ""}`}>
			<header className={css.banner}>
				<div className={css.brand}>
					<Logo />
					{!collapsed && "Framescope"}
				</div>
				<TopBar app={app} onPalette={() => setPalette(true)} />
			</header>
			<div className={css.rail}>
				<ErrorBoundary part="the list of servers">
					<Rail app={app} collapsed={collapsed} />
				</ErrorBoundary>
			</div>
			<main className={css.work}>
				<Strips app={app} />
				<div className={css.fill}>
					<ErrorBoundary key={app.page} part="this page">
						<PageOf
							app={app}
							calls={calls}
							settings={settings}
							maximised={maximised}
							onMaximise={() => setMaximised(!maximised)}
							onAbout={() => setAbout(true)}
						/>
					</ErrorBoundary>
				</div>
				<NotRecording app={app} />
			</main>
			<StatusBar app={app} settings={settings} onShortcuts={() => setShortcuts(true)} />
			<Shortcuts open={shortcuts} commands={commands} onClose={() => setShortcuts(false)} />
			<ExportDialog app={app} />
			<About
				app={app}
				open={about}
				onClose={() => setAbout(false)}
				onShortcuts={() => {
					setAbout(false);
					setShortcuts(true);
				}}
			/>
			<Palette
				open={palette}
				onClose={() => setPalette(false)}
				groups={groups}
				onSearch={(text) => {
					app.show("sessions");
					void app.search.start(text);
				}}
			/>
		</div>
	);
}

type PageProps = Props & { maximised: boolean; onMaximise: () => void; onAbout: () => void };

/** What is right of the rail. */
function PageOf({ app, calls, settings, maximised, onMaximise, onAbout }: PageProps) {
	const server = app.serverRow;
	switch (app.page) {
		case "server":
			return <ServerForm key={app.editing?.id ?? "new"} app={app} />;
		case "sessions":
			return <SessionsPage app={app} settings={settings} />;
		case "settings":
			return <SettingsPage app={app} settings={settings} onAbout={onAbout} />;
		case "app-log":
			return <AppLogPage app={app} />;
		case "session":
			if (server && app.consent === server.id) return <Consent key={server.id} app={app} server={server} />;
			return (
				<Workspace
					app={app}
					calls={calls}
					settings={settings}
					maximised={maximised}
					onMaximise={onMaximise}
				/>
			);
	}
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
