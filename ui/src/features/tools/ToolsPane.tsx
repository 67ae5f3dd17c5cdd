import { useMemo, useState } from "react";
import { Icon } from "../../components/Icon";
import { RestartIcon, WarnIcon } from "../../components/icons";
import { useKeys } from "../../components/keys";
import { Split } from "../../components/Split";
import { Tabs } from "../../components/Tabs";
import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import type { CallStore } from "../../model/calls";
import { callParams } from "../../model/draft";
import { sentence, words } from "../../model/errors";
import { prefill } from "../../model/prefill";
import type { SessionStore } from "../../model/sessionStore";
import type { Settings } from "../../model/settings";
import { visible } from "../../model/visible";
import { ArgsPane } from "./ArgsPane";
import { sendState } from "./sendState";
import { ToolList } from "./ToolList";
import css from "./Tools.module.css";
import { type Catalog, useCatalog } from "./useCatalog";
import { usePreview } from "./usePreview";
import { WirePane } from "./WirePane";

interface Props {
	app: AppStore;
	calls: CallStore;
	settings: Settings;
	session: SessionStore;
}

const PANES = ["list", "args", "wire"] as const;

/** The tools of a session: list, arguments, and what goes over the wire. */
export function ToolsPane({ app, calls, settings, session }: Props) {
	useStore(app);
	useStore(calls);
	useStore(settings);
	const row = app.session;
	const catalog = useCatalog(app.backend, row);
	const tools = catalog.row?.tools ?? [];
	const drafts = useStore(app.drafts);
	const server = app.server ?? session.session;
	const chosen = drafts.tool(server);
	const place = Math.max(
		0,
		tools.findIndex((tool, i) => `${i} ${tool.name}` === chosen),
	);
	const tool = tools[place] ?? null;
	const typed = tool && (drafts.typed(server, tool.name) ?? prefill(tool.input_schema));
	const params = useMemo(() => (tool && typed !== null ? callParams(tool, typed) : null), [tool, typed]);
	const preview = usePreview(app.backend, row?.id ?? null, params, calls.version());
	const send = sendState(row, app.serverRow);
	const [failure, setFailure] = useState<string | null>(null);

	const onSend = async () => {
		if (!tool || params === null || send.off !== null || !row) return;
		setFailure(null);
		try {
			const to = send.connects ? await app.connectAndWait(row.server_id ?? "") : row.id;
			if (to !== null) await calls.send(to, tool.name, "tools/call", params);
		} catch (error) {
			setFailure(words(error));
		}
	};

	useKeys({
		"Mod+Enter": () => {
			void onSend();
			return true;
		},
	});

	if (!row) return null;
	return (
		<div className={css.workspace}>
			<Tabs
				label="Workspace"
				value="tools"
				onChange={() => undefined}
				tabs={[{ value: "tools", label: "Tools", ...(catalog.row ? { count: tools.length } : {}) }]}
				end={<Reload catalog={catalog} connected={row.conn.state === "connected" && !row.elsewhere} />}
			/>
			<Problems catalog={catalog} />
			<Split
				direction="horizontal"
				label="Resize columns"
				layout={settings.layout("tools", PANES)}
				onLayout={(layout) => settings.setLayout("tools", layout)}
				panes={[
					{
						id: "list",
						size: "222px",
						min: "140px",
						children: (
							<ToolList
								tools={tools}
								selected={place}
								onSelect={(i) => {
									setFailure(null);
									drafts.choose(server, `${i} ${tools[i]?.name}`);
								}}
							/>
						),
					},
					{
						id: "args",
						size: "43%",
						min: "240px",
						children:
							tool && typed !== null ? (
								<ArgsPane
									key={`${app.server} ${place} ${tool.name}`}
									tool={tool}
									args={typed}
									onArgs={(text) => drafts.type(server, tool.name, text)}
									send={send}
									onSend={() => void onSend()}
									check={preview.row?.problem ?? null}
									failure={failure}
								/>
							) : (
								<NoTools catalog={catalog} row={row} />
							),
					},
					{
						id: "wire",
						size: "38.5%",
						min: "260px",
						children: (
							<WirePane backend={app.backend} calls={calls} session={session} row={row} preview={preview} />
						),
					},
				]}
			/>
		</div>
	);
}

function Reload({ catalog, connected }: { catalog: Catalog; connected: boolean }) {
	return (
		<>
			{catalog.loading && <span className={`dim ${css.late}`}>reading tools/list</span>}
			{!connected && catalog.row && (
				<span className="dim">List as it was. The server is not connected here.</span>
			)}
			<button
				type="button"
				className="btn ghost sm"
				disabled={!connected}
				title={connected ? "Ask the server again" : "The server is not connected here"}
				onClick={catalog.reload}
			>
				<Icon of={RestartIcon} small />
				Reload list
			</button>
		</>
	);
}

/** What is wrong with the list; the rest of it works. */
function Problems({ catalog }: { catalog: Catalog }) {
	const problems = catalog.row?.problems ?? [];
	const first = problems[0];
	if (first === undefined) return null;
	return (
		<div className="strip warn" title={problems.map(visible).join("\n")}>
			<Icon of={WarnIcon} small />
			<span className="trunc selectable">
				<span className="mono">tools/list</span>: {visible(first)}
				{problems.length > 1 && ` And ${problems.length - 1} more.`}
			</span>
		</div>
	);
}

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
