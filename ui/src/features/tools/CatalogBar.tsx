import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { RestartIcon, WarnIcon } from "../../components/icons";
import type { CatalogRow } from "../../ipc/bindings/CatalogRow";
import { lastingMs } from "../../model/format";
import { visible } from "../../model/visible";
import css from "./Tools.module.css";

interface Props {
	/** The method that reads the list. */
	method: string;
	loading: boolean;
	/** There is a list, of now or of before. */
	known: boolean;
	/** Whose list it is and how long it is true; where that is known. */
	cache?: Pick<CatalogRow, "stale" | "ttl_ms" | "cache_scope"> | null;
	connected: boolean;
	onReload: () => void;
}

/** How fresh a list is, and asking for it again. */
export function Reload({ method, loading, known, cache, connected, onReload }: Props) {
	return (
		<>
			{loading && <span className={`dim trunc ${css.late}`}>reading {method}</span>}
			{!connected && known && (
				<span className="dim trunc" data-testid={TESTID.staleList}>
					{cache?.stale ? "List of the session before." : "List as it was."} The server is not connected here.
				</span>
			)}
			{connected && cache?.ttl_ms != null && (
				<span className="dim trunc" title="ttlMs and cacheScope, as the server told them with the list">
					{cache.ttl_ms === 0 ? "not to be kept" : `fresh for ${lastingMs(cache.ttl_ms)}`}
					{cache.cache_scope !== null && `, ${visible(cache.cache_scope)}`}
				</span>
			)}
			<button
				type="button"
				className="btn ghost sm"
				disabled={!connected}
				title={connected ? "Ask the server again" : "The server is not connected here"}
				onClick={onReload}
			>
				<Icon of={RestartIcon} small />
				Reload list
			</button>
		</>
	);
}

/** What is wrong with a list; the rest of it works. */
export function ListProblems({ method, problems }: { method: string; problems: readonly string[] }) {
	const first = problems[0];
	if (first === undefined) return null;
	return (
		<div className="strip warn" title={problems.map(visible).join("\n")}>
			<Icon of={WarnIcon} small />
			<span className="trunc selectable">
				<span className="mono">{method}</span>: {visible(first)}
				{problems.length > 1 && ` And ${problems.length - 1} more.`}
			</span>
		</div>
	);
}
