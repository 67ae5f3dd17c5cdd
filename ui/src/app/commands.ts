/** What can be done from anywhere, by key or by name: one list for the keys, the palette and the list of keys. */
import type { LucideIcon } from "lucide-react";
import {
	ClockIcon,
	DoctorIcon,
	EditIcon,
	ExportIcon,
	ImportIcon,
	InfoIcon,
	ListIcon,
	LogIcon,
	MaximiseIcon,
	PlayIcon,
	PlusIcon,
	RestartIcon,
	SearchIcon,
	SettingsIcon,
	StopIcon,
	SystemIcon,
} from "../components/icons";
import { MOD } from "../components/keys";
import type { AppStore } from "../model/appStore";
import type { Settings, Theme, TimeFormat } from "../model/settings";
import { visible } from "../model/visible";

export interface Command {
	name: string;
	icon: LucideIcon;
	/** The key as `useKeys` names it. */
	key?: string;
	/** The keys as they are shown. */
	keys?: string;
	/** It is left out of the palette, which has it in another form. */
	hidden?: boolean;
	run: () => void;
}

export interface Context {
	app: AppStore;
	settings: Settings;
	maximised: boolean;
	setMaximised: (on: boolean) => void;
	onPalette: () => void;
	onShortcuts: () => void;
	onAbout: () => void;
}

/** What can be done now. */
export function commandsOf(context: Context): Command[] {
	const { app, settings, maximised, setMaximised, onPalette, onShortcuts, onAbout } = context;
	const { session } = app;
	return [
		{
			name: "Search or run",
			icon: SearchIcon,
			key: "Mod+k",
			keys: `${MOD} K`,
			hidden: true,
			run: onPalette,
		},
		...serverCommands(app),
		{ name: "Add server", icon: PlusIcon, run: () => app.edit(null) },
		{ name: "All sessions", icon: ListIcon, keys: "g s", run: () => app.show("sessions") },
		{ name: "Import sessions", icon: ImportIcon, run: () => importSessions(app) },
		...(session
			? [{ name: "Export this session", icon: ExportIcon, run: () => void app.exporting.open([session.id]) }]
			: []),
		{
			name: maximised ? "Restore timeline" : "Maximise timeline",
			icon: MaximiseIcon,
			key: "T",
			keys: "Shift T",
			run: () => setMaximised(!maximised),
		},
		{
			name: settings.railCollapsed ? "Widen the rail" : "Collapse the rail",
			icon: ListIcon,
			key: "Mod+b",
			keys: `${MOD} B`,
			run: () => settings.setRailCollapsed(!settings.railCollapsed),
		},
		{
			name: "Settings",
			icon: SettingsIcon,
			key: "Mod+,",
			keys: `${MOD} ,`,
			run: () => app.show("settings"),
		},
		{ name: "App log", icon: LogIcon, run: () => app.show("app-log") },
		...THEMES.map(([theme, name]) => ({ name, icon: SystemIcon, run: () => settings.setTheme(theme) })),
		...TIMES.map(([format, name]) => ({ name, icon: ClockIcon, run: () => settings.setTimeFormat(format) })),
		{ name: "Keyboard shortcuts", icon: InfoIcon, key: "?", keys: "?", run: onShortcuts },
		{ name: "About Framescope", icon: InfoIcon, run: onAbout },
	];
}

const THEMES: readonly [Theme, string][] = [
	["light", "Theme: light"],
	["dark", "Theme: dark"],
	["system", "Theme: as the system"],
];

const TIMES: readonly [TimeFormat, string][] = [
	["local", "Times: local"],
	["utc", "Times: UTC"],
	["relative", "Times: since the session began"],
];

/** What can be done with the chosen server. */
function serverCommands(app: AppStore): Command[] {
	const server = app.serverRow;
	if (!server) return [];
	const name = visible(server.name);
	const live = app.liveOf(server);
	const examine = { name: `Doctor: examine ${name}`, icon: DoctorIcon, run: () => app.examine(server) };
	const edit = server.demo
		? []
		: [
				{ name: `Edit ${name}`, icon: EditIcon, run: () => app.edit(server) },
				...(server.unconfirmed ? [] : [examine]),
			];
	const restart = {
		icon: live ? RestartIcon : PlayIcon,
		key: "Mod+R",
		keys: `${MOD} Shift R`,
		run: () => void app.restart(server.id),
	};
	if (!live) return [{ ...restart, name: `Connect ${name}` }, ...edit];
	const stop = { icon: StopIcon, run: () => void app.disconnect(live.id) };
	return server.transport === "stdio"
		? [{ ...restart, name: `Restart ${name}` }, { ...stop, name: `Stop ${name}` }, ...edit]
		: [{ ...restart, name: `Reconnect ${name}` }, { ...stop, name: `Disconnect ${name}` }, ...edit];
}

function importSessions(app: AppStore): void {
	app.show("sessions");
	void app.list.importFiles();
}
