import { useCallback, useEffect } from "react";
import { Split } from "../../components/Split";
import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import type { CallStore } from "../../model/calls";
import { chosenPlace, toolKey } from "../../model/drafts";
import { sentence } from "../../model/errors";
import type { SessionStore } from "../../model/sessionStore";
import type { Settings } from "../../model/settings";
import { ToolCall } from "./ToolCall";
import { ToolList } from "./ToolList";
import type { Catalog } from "./useCatalog";
import { WirePane } from "./WirePane";

interface Props {
	app: AppStore;
	calls: CallStore;
	settings: Settings;
	session: SessionStore;
	row: SessionRow;
	catalog: Catalog;
}

const PANES = ["list", "args", "wire"] as const;

/** The tools of a session: list, form, and what goes over the wire. */
export function ToolsPane({ app, calls, settings, session, row, catalog }: Props) {
	useStore(settings);
	const drafts = useStore(app.drafts);
	const tools = catalog.row?.tools ?? [];
	const server = app.server ?? session.session;
	const place = chosenPlace(tools, drafts.tool(server));
	const tool = tools[place] ?? null;
	const key = tool && toolKey(place, tool.name);
	const options = useCallback(() => ({ defaults: settings.sendDefaults }), [settings]);
	const draft = tool && key !== null ? drafts.form(server, key, tool, options) : null;
	useEffect(() => void calls.watch(row.id), [calls, row.id]);

	const list = (
		<ToolList
			tools={tools}
			selected={place}
			onSelect={(i) => drafts.choose(server, toolKey(i, tools[i]?.name ?? ""))}
		/>
	);
	const panes = (form: React.ReactNode, wire: React.ReactNode) => (
		<Split
			direction="horizontal"
			label="Resize columns"
			layout={settings.layout("tools", PANES)}
			onLayout={(layout) => settings.setLayout("tools", layout)}
			panes={[
				{ id: "list", size: "222px", min: "140px", children: list },
				{ id: "args", size: "43%", min: "300px", children: form },
				{ id: "wire", size: "38.5%", min: "260px", children: wire },
			]}
		/>
	);
	const wire = { app, calls, session, row, tools };
	if (!tool || !draft) {
		return panes(
			<NoTools catalog={catalog} row={row} />,
			<WirePane {...wire} preview={null} failing={NONE} />,
		);
	}
	return (
		<ToolCall key={`${server} ${key}`} {...wire} tool={tool} draft={draft}>
			{(form, preview, failing) => panes(form, <WirePane {...wire} preview={preview} failing={failing} />)}
		</ToolCall>
	);
}

const NONE: readonly string[] = [];

/** Why there is no tool to call. */
function NoTools({ catalog, row }: { catalog: Catalog; row: SessionRow }) {
	if (row.conn.state === "connecting")
		return <p className="empty dim">The tools follow once the server is connected.</p>;
	if (row.conn.state !== "connected" || row.elsewhere) {
		return (
			<p className="empty dim">
				This session is read from the log. Select a request in the timeline to see its result; connect to call
				tools.
			</p>
		);
	}
	if (catalog.failure !== null)
		return <p className="empty selectable">tools/list failed. {sentence(catalog.failure)}</p>;
	return <p className="empty dim">{catalog.loading ? "Reading the tools." : "The server lists no tools."}</p>;
}
