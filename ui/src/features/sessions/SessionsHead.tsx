import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { DeleteIcon, ExportIcon, ImportIcon } from "../../components/icons";
import { useStore } from "../../components/useStore";
import type { AppStore } from "../../model/appStore";
import { bytes, count } from "../../model/format";
import css from "./Sessions.module.css";
import { deleteSessions } from "./SessionsPage";

/** The line above the page of all sessions: how much there is, and what can be done with those that are checked. */
export function SessionsHead({ app }: { app: AppStore }) {
	const { list } = app;
	useStore(list);
	const checked = [...list.checked];
	return (
		<div className={css.topbar}>
			<h1>Sessions</h1>
			<span className="sub trunc">{list.ready && `${count(list.kept)} kept, ${bytes(list.diskBytes)}`}</span>
			<span className="grow" />
			{checked.length > 0 && (
				<button
					type="button"
					className="btn ghost"
					data-testid={TESTID.deleteSessions}
					onClick={() => void deleteSessions(app, checked)}
				>
					<Icon of={DeleteIcon} small />
					Delete {count(checked.length)}
				</button>
			)}
			<button
				type="button"
				className="btn"
				data-testid={TESTID.importSessions}
				onClick={() => void list.importFiles()}
			>
				<Icon of={ImportIcon} small />
				Import file
			</button>
			<button
				type="button"
				className="btn"
				disabled={checked.length === 0 && list.current === null}
				title="Export as JSONL, without what your rules name (Shift E)"
				data-testid={TESTID.exportSessions}
				onClick={() => void app.exporting.open(checked.length > 0 ? checked : [list.current ?? ""])}
			>
				<Icon of={ExportIcon} small />
				Export {count(Math.max(1, checked.length))}…
			</button>
		</div>
	);
}
