import { useEffect, useMemo, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { FilterIcon, TailIcon } from "../../components/icons";
import { useMaybeStore } from "../../components/useStore";
import type { Backend } from "../../ipc/backend";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import { count } from "../../model/format";
import { filterLines, LEVELS, type LogFilter, type LogLine, LogStore } from "../../model/logStore";
import type { SessionStore } from "../../model/sessionStore";
import { visible } from "../../model/visible";
import { Choice } from "./Choice";
import { LevelField } from "./LevelField";
import { LogRows } from "./LogRows";

interface Props {
	app: AppStore;
	session: SessionStore;
	row: SessionRow;
}

/** The log messages of a server. */
export function LogPane({ app, session, row }: Props) {
	const log = useLog(app.backend, row.id);
	const [filter, setFilter] = useState<LogFilter>({ level: "debug", logger: null, text: "" });
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
				<label className="fld ui">
					<Icon of={FilterIcon} small />
					<span className="vh">Text in messages</span>
					<input
						value={filter.text}
						placeholder="Text in messages"
						spellCheck={false}
						onChange={(event) => setFilter({ ...filter, text: event.target.value })}
					/>
				</label>
				<span className="mono dim" data-testid={TESTID.logCount}>
					{shown.length === total ? count(total) : `${count(shown.length)} of ${count(total)}`}
				</span>
				<button
					type="button"
					className={`btn ghost sm ${follow ? "on" : ""}`}
					aria-pressed={follow}
					title="Stay at the newest message"
					onClick={() => setFollow(!follow)}
				>
					<Icon of={TailIcon} small />
					Tail
				</button>
			</div>
			{log?.failure != null && <p className="strip err">This app cannot read the log: {log.failure}</p>}
			{total > lines.length && lines.length > 0 && (
				<p className="strip inf">The newest {count(lines.length)} messages. The timeline has all of them.</p>
			)}
			{shown.length === 0 ? (
				<Nothing total={total} onClear={() => setFilter({ level: "debug", logger: null, text: "" })} />
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

/** Why there is no message. */
function Nothing({ total, onClear }: { total: number; onClear: () => void }) {
	if (total === 0)
		return <p className="empty dim">The server has sent no log message (notifications/message).</p>;
	return (
		<div className="empty">
			<p>No message matches the filters.</p>
			<div className="acts">
				<button type="button" className="btn" onClick={onClear}>
					Clear filters
				</button>
			</div>
		</div>
	);
}
