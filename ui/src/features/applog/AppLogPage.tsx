import { useEffect, useMemo, useState } from "react";
import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { Icon } from "../../components/Icon";
import { FilterIcon, FolderIcon, TailIcon } from "../../components/icons";
import { useMaybeStore } from "../../components/useStore";
import type { Backend } from "../../ipc/backend";
import type { AppLogLevel, AppLogLine } from "../../ipc/secrets";
import { APP_LEVELS, type AppLogFilter, AppLogStore, appLogText, filterAppLog } from "../../model/appLog";
import type { AppStore } from "../../model/appStore";
import { count } from "../../model/format";
import { Choice } from "../log/Choice";
import { AppLogRows } from "./AppLogRows";

const ALL: AppLogFilter = { level: "trace", text: "" };

/** What this app writes about itself: for a report of a fault in it. */
export function AppLogPage({ app }: { app: AppStore }) {
	const log = useAppLog(app.backend);
	const [filter, setFilter] = useState<AppLogFilter>(ALL);
	const [follow, setFollow] = useState(true);
	const lines = log?.lines ?? NONE;
	const shown = useMemo(() => filterAppLog(lines, filter), [lines, filter]);
	return (
		<section className="pane" aria-label="App log" data-testid={TESTID.appLog}>
			<div className="bar">
				<label className="sub" htmlFor="app-log-writes">
					Writes
				</label>
				<Choice
					id="app-log-writes"
					label="What is written from now on"
					value={log?.level ?? "info"}
					disabled={log?.level == null}
					options={APP_LEVELS.map((level) => [level, WRITES[level]])}
					testId={TESTID.appLogLevel}
					onChange={(level) => void log?.setLevel(level as AppLogLevel)}
				/>
				<label className="fld ui">
					<Icon of={FilterIcon} small />
					<span className="vh">Text in lines</span>
					<input
						value={filter.text}
						placeholder="Text in lines"
						spellCheck={false}
						autoComplete="off"
						data-testid={TESTID.appLogFilter}
						onChange={(event) => setFilter({ ...filter, text: event.target.value })}
					/>
				</label>
				<Choice
					label="Which lines are shown"
					value={filter.level}
					options={APP_LEVELS.map((level) => [level, SHOWN[level]])}
					testId={TESTID.appLogShown}
					onChange={(level) => setFilter({ ...filter, level: level as AppLogLevel })}
				/>
				<span className="mono dim" role="status" data-testid={TESTID.appLogCount}>
					{shown.length === lines.length
						? count(lines.length)
						: `${count(shown.length)} of ${count(lines.length)}`}
				</span>
				<button
					type="button"
					className={`btn ghost sm ${follow ? "on" : ""}`}
					aria-pressed={follow}
					title="Stay at the newest line"
					onClick={() => setFollow(!follow)}
				>
					<Icon of={TailIcon} small />
					Tail
				</button>
				<CopyButton label="Copy the lines that are shown" text={() => appLogText(shown)} />
				<button
					type="button"
					className="btn ghost sm ico"
					aria-label="Open the folder of the log"
					title="Open the folder of the log"
					data-testid={TESTID.appLogFolder}
					onClick={() => void log?.openFolder()}
				>
					<Icon of={FolderIcon} />
				</button>
			</div>
			{log?.failure != null && (
				<p className="strip err" role="alert">
					This app cannot do that with its log: {log.failure}
				</p>
			)}
			{log !== null && log.dropped > 0 && (
				<p className="strip inf">
					The newest {count(lines.length)} lines. {count(log.dropped)} older ones are in{" "}
					<span className="mono trunc selectable">{log.path}</span>
				</p>
			)}
			{shown.length === 0 && log?.level != null ? (
				<Nothing any={lines.length > 0} onClear={() => setFilter(ALL)} />
			) : (
				<AppLogRows lines={shown} follow={follow} onFollow={setFollow} />
			)}
		</section>
	);
}

const NONE: readonly AppLogLine[] = [];

const WRITES: Record<AppLogLevel, string> = {
	error: "errors alone",
	warn: "warnings and errors",
	info: "info",
	debug: "debug",
	trace: "everything",
};

const SHOWN: Record<AppLogLevel, string> = {
	error: "errors",
	warn: "from warn",
	info: "from info",
	debug: "from debug",
	trace: "all levels",
};

/** The log, as long as it is looked at. */
function useAppLog(backend: Backend): AppLogStore | null {
	const [log, setLog] = useState<AppLogStore | null>(null);
	useEffect(() => {
		const made = new AppLogStore(backend);
		setLog(made);
		return made.start();
	}, [backend]);
	return useMaybeStore(log);
}

function Nothing({ any, onClear }: { any: boolean; onClear: () => void }) {
	if (!any) return <p className="empty dim">This app has written nothing yet.</p>;
	return (
		<div className="empty">
			<p>No line matches the filters.</p>
			<div className="acts">
				<button type="button" className="btn" onClick={onClear}>
					Clear filters
				</button>
			</div>
		</div>
	);
}
