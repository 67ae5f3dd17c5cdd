import { Split } from "../components/Split";
import { useStore } from "../components/useStore";
import { ToolsPane } from "../features/tools/ToolsPane";
import type { AppStore } from "../model/appStore";
import type { CallStore } from "../model/calls";
import type { Settings } from "../model/settings";
import { visible } from "../model/visible";
import { Dock } from "./Dock";
import { ErrorBoundary } from "./ErrorBoundary";

interface Props {
	app: AppStore;
	calls: CallStore;
	settings: Settings;
	maximised: boolean;
	onMaximise: () => void;
}

const PANES = ["work", "dock"] as const;

/** The open session, or why there is none. */
export function Workspace({ app, calls, settings, maximised, onMaximise }: Props) {
	useStore(app);
	useStore(settings);
	const session = app.open;
	if (!session) return <NotStarted app={app} />;
	const dock = (
		<ErrorBoundary key={session.session} part="the timeline">
			<Dock app={app} settings={settings} session={session} maximised={maximised} onMaximise={onMaximise} />
		</ErrorBoundary>
	);
	if (maximised) return dock;
	return (
		<Split
			direction="vertical"
			label="Resize timeline"
			layout={settings.layout("work", PANES)}
			onLayout={(layout) => settings.setLayout("work", layout)}
			panes={[
				{
					id: "work",
					size: "60%",
					min: "120px",
					children: (
						<ErrorBoundary part="the tools">
							<ToolsPane app={app} calls={calls} settings={settings} session={session} />
						</ErrorBoundary>
					),
				},
				{ id: "dock", size: "40%", min: "142px", children: dock },
			]}
		/>
	);
}

/** One sentence and one action. */
function NotStarted({ app }: { app: AppStore }) {
	const server = app.serverRow;
	if (!app.ready) return null;
	return (
		<div className="empty">
			<p>
				{server ? `${visible(server.name)} has not been started yet.` : "There is nothing to inspect yet."}
			</p>
			<div className="acts">
				{server ? (
					<button type="button" className="btn" onClick={() => void app.connect(server.id)}>
						Connect
					</button>
				) : (
					<button type="button" className="btn" onClick={() => app.edit(null)}>
						Add server
					</button>
				)}
			</div>
		</div>
	);
}
