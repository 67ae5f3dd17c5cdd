import { useEffect, useMemo, useState } from "react";
import { TESTID } from "../../app/testids";
import { Choice } from "../../components/Choice";
import { LineCount, NoMatch, TailButton, TextFilter } from "../../components/LineTools";
import { useMaybeStore } from "../../components/useStore";
import type { Backend } from "../../ipc/backend";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import { count } from "../../model/format";
import { filterLines, LEVELS, type LogFilter, type LogLine, LogStore } from "../../model/logStore";
import type { SessionStore } from "../../model/sessionStore";
import { visible } from "../../model/visible";
import { LevelField } from "./LevelField";
import { LogRows } from "./LogRows";

interface Props {
	app: AppStore;
	session: SessionStore;
	row: SessionRow;
}

const ALL: LogFilter = { level: "debug", logger: null, text: "" };

/** The log messages of a server. */
export function LogPane({ app, session, row }: Props) {
	const log = useLog(app.backend, row.id);
	const [filter, setFilter] = useState(ALL);
	const [follow, setFollow] = useState(true);
	const lines = log?.lines ?? NONE;
	const total = log?.total ?? 0;
	const loggers = useMemo(() => [...new Set(lines.map(({ logger }) => logger))].sort(), [lines]);
	const shown = useMemo(() => filterLines(lines, filter), [lines, filter]);
	return (
		<div className="pane">
			<div className="bar">
				<LevelField key={row.id} backend={app.backend} row={row} />
				<Choice
					label="Level"
					value={filter.level}
					options={LEVELS.map((level) => [level, `from ${level}`])}
					testId={TESTID.logLevelFilter}
					onChange={(level) => setFilter({ ...filter, level })}
				/>
				<Choice
					label="Logger"
					value={filter.logger === null ? "" : `=${filter.logger}`}
					options={[
						["", "all loggers"],
						...loggers.map((logger): [string, string] => [
							`=${logger}`,
							logger === "" ? "without a logger" : visible(logger),
						]),
					]}
					testId={TESTID.loggerFilter}
					onChange={(value) => setFilter({ ...filter, logger: value === "" ? null : value.slice(1) })}
				/>
				<TextFilter
					label="Text in messages"
					value={filter.text}
					onChange={(text) => setFilter({ ...filter, text })}
				/>
				<LineCount shown={shown.length} total={total} testId={TESTID.logCount} />
				<TailButton follow={follow} title="Stay at the newest message" onFollow={setFollow} />
			</div>
			{log?.failure != null && <p className="strip err">This app cannot read the log: {log.failure}</p>}
			{total > lines.length && lines.length > 0 && (
				<p className="strip inf">The newest {count(lines.length)} messages. The timeline has all of them.</p>
			)}
			{total === 0 ? (
				<p className="empty dim">
					The server has sent no log message (notifications/message). Ask for a level to have it send some.
				</p>
			) : shown.length === 0 ? (
				<NoMatch noun="message" onClear={() => setFilter(ALL)} />
			) : (
				<LogRows lines={shown} session={session} follow={follow} onFollow={setFollow} />
			)}
		</div>
	);
}

const NONE: readonly LogLine[] = [];

/** The messages of a session, as long as they are looked at. */
function useLog(backend: Backend, session: string): LogStore | null {
	const [log, setLog] = useState<LogStore | null>(null);
	useEffect(() => {
		const made = new LogStore(backend, session);
		setLog(made);
		return made.start();
	}, [backend, session]);
	return useMaybeStore(log);
}
