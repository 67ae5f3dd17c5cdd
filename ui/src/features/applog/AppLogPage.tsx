import { useEffect, useMemo, useState } from "react";
import { TESTID } from "../../app/testids";
import { Choice } from "../../components/Choice";
import { CopyButton } from "../../components/CopyButton";
import { Icon } from "../../components/Icon";
import { FolderIcon } from "../../components/icons";
import { LineCount, NoMatch, TailButton, TextFilter } from "../../components/LineTools";
import { useMaybeStore } from "../../components/useStore";
import type { Backend } from "../../ipc/backend";
import type { AppLogLevel, AppLogLine } from "../../ipc/secrets";
import { APP_LEVELS, type AppLogFilter, AppLogStore, appLogText, filterAppLog } from "../../model/appLog";
import type { AppStore } from "../../model/appStore";
import { sentence } from "../../model/errors";
import { count } from "../../model/format";
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
				<TextFilter
					label="Text in lines"
					value={filter.text}
					testId={TESTID.appLogFilter}
					onChange={(text) => setFilter({ ...filter, text })}
				/>
				<Choice
					label="Which lines are shown"
					value={filter.level}
					options={APP_LEVELS.map((level) => [level, SHOWN[level]])}
					testId={TESTID.appLogShown}
					onChange={(level) => setFilter({ ...filter, level: level as AppLogLevel })}
				/>
				<LineCount shown={shown.length} total={lines.length} testId={TESTID.appLogCount} />
				<TailButton follow={follow} title="Stay at the newest line" onFollow={setFollow} />
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
					{sentence(log.failure)}
				</p>
			)}
			{log !== null && log.dropped > 0 && (
				<p className="strip inf">
					The newest {count(lines.length)} lines. {count(log.dropped)} older ones are in{" "}
					<span className="mono trunc selectable">{log.path}</span>
				</p>
			)}
			{lines.length === 0 && log?.level != null ? (
				<p className="empty dim">This app has written nothing yet.</p>
			) : shown.length === 0 && log?.level != null ? (
				<NoMatch noun="line" onClear={() => setFilter(ALL)} />
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
