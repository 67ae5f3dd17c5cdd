import { useEffect } from "react";
import { Split } from "../components/Split";
import { Tabs } from "../components/Tabs";
import { useStore } from "../components/useStore";
import { ComposePane } from "../features/compose/ComposePane";
import { InputsPane } from "../features/inputs/InputsPane";
import { LogPane } from "../features/log/LogPane";
import { OfferReload } from "../features/offers/OfferReload";
import { PromptsPane } from "../features/prompts/PromptsPane";
import { ResourcesPane } from "../features/resources/ResourcesPane";
import { RestartStrip } from "../features/restart/RestartStrip";
import { ServerPane } from "../features/server/ServerPane";
import { Answer } from "../features/tools/Answer";
import { ListProblems, Reload } from "../features/tools/CatalogBar";
import { ToolsPane } from "../features/tools/ToolsPane";
import { useCatalog } from "../features/tools/useCatalog";
import type { OfferKind } from "../ipc/bindings/OfferKind";
import type { ServerRow } from "../ipc/bindings/ServerRow";
import type { ToolRow } from "../ipc/bindings/ToolRow";
import type { AppStore } from "../model/appStore";
import type { CallStore } from "../model/calls";
import type { WorkTab } from "../model/drafts";
import type { SessionStore } from "../model/sessionStore";
import type { Settings } from "../model/settings";
import { visible } from "../model/visible";
import css from "./App.module.css";
import { Dock } from "./Dock";
import { ErrorBoundary } from "./ErrorBoundary";
import { TESTID } from "./testids";

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
					size: "59%",
					min: "120px",
					children: (
						<ErrorBoundary part="the tools">
							<Work app={app} calls={calls} settings={settings} session={session} />
						</ErrorBoundary>
					),
				},
				{ id: "dock", size: "41%", min: "142px", children: dock },
			]}
		/>
	);
}

interface WorkProps {
	app: AppStore;
	calls: CallStore;
	settings: Settings;
	session: SessionStore;
}

/** Above the timeline: what can be done with the session, by tabs. */
function Work({ app, calls, settings, session }: WorkProps) {
	const drafts = useStore(app.drafts);
	const row = app.session;
	const inputs = useStore(app.inputs);
	const catalog = useCatalog(app.backend, row);
	const offers = useStore(app.offers);
	const id = row?.id ?? null;
	const connected = row?.conn.state === "connected" && !row.elsewhere;
	// biome-ignore lint/correctness/useExhaustiveDependencies: who becomes connected has introduced itself
	useEffect(() => {
		if (id === null) return;
		void app.inputs.watch(id);
		void app.infos.read(id);
		void app.subscriptions.watch(id);
	}, [app, id, connected]);
	if (!row) return null;
	const { tab } = drafts;
	const tools = catalog.row?.tools ?? NO_TOOLS;
	const asked = inputs.of(row.id).length;
	const server = app.server ?? row.id;
	const listed = (what: OfferKind) => {
		const { session: of, items } = offers.of(server, what);
		return of === null ? {} : { count: items.length };
	};
	const props = { app, calls, settings, session, row, tools };
	return (
		<div className={css.workspace}>
			<Tabs
				label="Workspace"
				value={tab}
				onChange={(next) => drafts.showTab(TABS.find((one) => one === next) ?? "tools")}
				tabs={[
					{
						value: "tools",
						label: "Tools",
						testId: TESTID.tabTools,
						...(catalog.row ? { count: tools.length } : {}),
					},
					{ value: "resources", label: "Resources", testId: TESTID.tabResources, ...listed("resources") },
					{ value: "prompts", label: "Prompts", testId: TESTID.tabPrompts, ...listed("prompts") },
					{ value: "log", label: "Log", testId: TESTID.tabLog },
					{ value: "server", label: "Server", testId: TESTID.tabServer },
					{
						value: "inputs",
						label: "Waiting for you",
						testId: TESTID.tabInputs,
						...(asked > 0 ? { count: asked } : {}),
					},
					{ value: "compose", label: "Compose", testId: TESTID.tabCompose },
				]}
				end={
					<>
						{tab === "tools" && (
							<Reload
								method="tools/list"
								loading={catalog.loading}
								known={catalog.row !== null}
								cache={catalog.row}
								connected={connected}
								onReload={catalog.reload}
							/>
						)}
						{tab === "resources" && <OfferReload app={app} row={row} what="resources" and="templates" />}
						{tab === "prompts" && <OfferReload app={app} row={row} what="prompts" />}
					</>
				}
			/>
			<RestartStrip
				app={app}
				calls={calls}
				row={row}
				ready={connected && catalog.of === row.id && !catalog.row?.stale && !catalog.loading}
			/>
			{tab === "tools" && <ListProblems method="tools/list" problems={catalog.row?.problems ?? []} />}
			<div className={css.fill}>
				{tab === "inputs" && <InputsPane app={app} session={session} row={row} />}
				{tab === "tools" && <ToolsPane {...props} catalog={catalog} />}
				{tab === "resources" && <ResourcesPane {...props} />}
				{tab === "prompts" && <PromptsPane {...props} />}
				{tab === "log" && <LogPane key={row.id} app={app} session={session} row={row} />}
				{tab === "server" && (
					<ServerPane app={app} settings={settings} session={session} row={row} tools={tools} />
				)}
				{tab === "compose" && (
					<ComposePane
						app={app}
						calls={calls}
						settings={settings}
						row={row}
						answer={<Answer app={app} calls={calls} session={session} row={row} tools={tools} />}
					/>
				)}
			</div>
		</div>
	);
}

const TABS: readonly WorkTab[] = ["tools", "resources", "prompts", "log", "server", "inputs", "compose"];
const NO_TOOLS: readonly ToolRow[] = [];

function notStarted({ name, demo }: ServerRow): string {
	return demo
		? `${visible(name)} comes with this app and has one of everything: tools, resources, prompts, questions, faults.`
		: `${visible(name)} has not been started yet.`;
}

/** One sentence and one action. */
function NotStarted({ app }: { app: AppStore }) {
	const server = app.serverRow;
	if (!app.ready) return null;
	return (
		<div className="empty">
			<p>
				{server ? notStarted(server) : "There is nothing to inspect yet: add a server by its command or URL."}
			</p>
			<div className="acts">
				{server && (
					<button type="button" className="btn" onClick={() => void app.connect(server.id)}>
						Connect
					</button>
				)}
				{(!server || server.demo) && (
					<button type="button" className={server ? "btn ghost" : "btn"} onClick={() => app.edit(null)}>
						Add server
					</button>
				)}
			</div>
		</div>
	);
}
