import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { RestartIcon, WarnIcon } from "../../components/icons";
import { lastingMs } from "../../model/format";
import { visible } from "../../model/visible";
import css from "./Tools.module.css";
import type { Catalog } from "./useCatalog";

/** How fresh the list is, and asking for it again. */
export function Reload({ catalog, connected }: { catalog: Catalog; connected: boolean }) {
	return (
		<>
			{catalog.loading && <span className={`dim ${css.late}`}>reading tools/list</span>}
			{!connected && catalog.row && (
				<span className="dim" data-testid={TESTID.staleList}>
					{catalog.row.stale
						? "List of the session before. The server is not connected here."
						: "List as it was. The server is not connected here."}
				</span>
			)}
			{connected && catalog.row?.ttl_ms != null && (
				<span className="dim" title="ttlMs and cacheScope, as the server told them with the list">
					{catalog.row.ttl_ms === 0 ? "not to be kept" : `true for ${lastingMs(catalog.row.ttl_ms)}`}
					{catalog.row.cache_scope !== null && `, ${visible(catalog.row.cache_scope)}`}
				</span>
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
export function CatalogProblems({ catalog }: { catalog: Catalog }) {
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
