import { TESTID } from "../../app/testids";
import { useNow } from "../../components/useNow";
import type { PendingRow } from "../../ipc/bindings/PendingRow";
import type { CallStore } from "../../model/calls";
import { duration } from "../../model/format";
import { progressWords, remaining } from "../../model/pending";
import { visible } from "../../model/visible";
import css from "./Tools.module.css";

/** What the `+60 s` button adds, milliseconds. */
const MORE = 60_000;
/** What is answered sooner is not shown: the pane must not jump. */
const PATIENCE_US = 250_000;

/** The requests of a session that wait: elapsed, progress, time left, more time, cancel. */
export function RunningCalls({ session, calls }: { session: string; calls: CallStore }) {
	const pending = calls.pending(session);
	const now = useNow(100, pending.length > 0) * 1000;
	const waiting = pending.filter((row) => now - row.sent_us >= PATIENCE_US);
	return waiting.map((row) => <Running key={row.seq} session={session} row={row} calls={calls} now={now} />);
}

interface Props {
	session: string;
	row: PendingRow;
	calls: CallStore;
	/** Microseconds since the epoch. */
	now: number;
}

function Running({ session, row, calls, now }: Props) {
	const { part, left, told } = remaining(row, now);
	const elapsed = duration(Math.floor(Math.max(0, now - row.sent_us) / 100_000) * 100_000);
	const progress = progressWords(row);
	const message = visible(row.progress?.message ?? "");
	return (
		<div className={css.running} role="status" data-testid={TESTID.runningCall} data-seq={row.seq}>
			<div className={css.what}>
				<span className="dot busy" />
				<span className="mono trunc" title={visible(`${row.method} ${row.what ?? ""}`)}>
					{visible(row.what ?? row.method)}
				</span>
				<span className={`mono dim ${css.facts}`}>
					id {visible(row.id)}
					{progress !== null && ` · ${progress}`} · {elapsed}
				</span>
				{message && (
					<span className="dim grow trunc" title={message}>
						{message}
					</span>
				)}
			</div>
			<div className={css.acts}>
				<span className="sev-error trunc">{calls.problem(session, row.seq)}</span>
				<span className="sub">{left === null ? "no time limit" : `${left} s left`}</span>
				{left !== null && (
					<button
						type="button"
						className="btn sm"
						data-testid={TESTID.extendCall}
						onClick={() => void calls.extend(session, row.seq, MORE)}
					>
						+60 s
					</button>
				)}
				<button
					type="button"
					className="btn sm"
					data-testid={TESTID.cancelCall}
					onClick={() => void calls.cancel(session, row.seq)}
				>
					Cancel
				</button>
			</div>
			<i className={`${css.elapsed} ${told ? "" : css.guess}`} style={{ width: `${part}%` }} />
		</div>
	);
}
