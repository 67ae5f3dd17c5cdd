import { useMemo } from "react";
import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import { toolCall } from "../../model/callable";
import { groupNames } from "../../model/groups";
import { toolOf } from "../../model/listPages";
import { ListFailed } from "../offers/ListFailed";
import { Pager } from "../offers/Pager";
import { CallPane, type TabProps } from "./CallPane";
import type { Catalog } from "./useCatalog";

/** The tools of a session. */
export function ToolsPane({ catalog, ...props }: TabProps & { catalog: Catalog }) {
	const { app, row, session } = props;
	const paged = useStore(app.pages).of(row.id, "tools")?.items;
	const tools = useMemo(() => paged?.map(toolOf) ?? props.tools, [paged, props.tools]);
	const items = useMemo(() => tools.map(toolCall), [tools]);
	const groups = useMemo(() => groupNames(tools.map((tool) => tool.name)), [tools]);
	return (
		<CallPane
			{...props}
			tab="tools"
			noun="tool"
			items={items}
			groups={groups}
			below={
				<Pager app={app} session={session} row={row} what="tools" total={catalog.row && props.tools.length} />
			}
			empty={<NoTools catalog={catalog} row={props.row} />}
		/>
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
	if (catalog.failure !== null) {
		return <ListFailed method="tools/list" why={catalog.failure} onAgain={catalog.reload} />;
	}
	return <p className="empty dim">{catalog.loading ? "Reading the tools." : "The server lists no tools."}</p>;
}
