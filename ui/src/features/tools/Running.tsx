import { TESTID } from "../../app/testids";
import { useNow } from "../../components/useNow";
import type { Call, CallStore } from "../../model/calls";
import { duration } from "../../model/format";
import { visible } from "../../model/visible";
import css from "./Tools.module.css";

/** What the `+60 s` button adds, milliseconds. */
const MORE = 60_000;

/** A call that runs: elapsed, time left, more time, cancel. */
export function Running({ call, calls }: { call: Call; calls: CallStore }) {
	const now = useNow(100);
	const elapsed = Math.max(0, now - call.sentAt);
	const left = Math.max(0, call.deadline - now);
	const part = Math.min(100, (elapsed / Math.max(1, call.deadline - call.sentAt)) * 100);
	return (
		<div className={css.running} role="status" data-testid={TESTID.runningCall} data-seq={call.seq}>
			<span className="dot busy" />
			<span className="mono trunc">{visible(call.what)}</span>
			<span className="mono dim">
				id {visible(call.id)} · {duration(Math.floor(elapsed / 100) * 100_000)}
			</span>
			<span className="grow sev-error trunc">{call.problem}</span>
			<span className="sub">{Math.ceil(left / 1000)} s left</span>
			<button
				type="button"
				className="btn sm"
				data-testid={TESTID.extendCall}
				onClick={() => void calls.extend(call, MORE)}
			>
				+60 s
			</button>
			<button
				type="button"
				className="btn sm"
				data-testid={TESTID.cancelCall}
				onClick={() => void calls.cancel(call)}
			>
				Cancel
			</button>
			<i className={css.elapsed} style={{ width: `${part}%` }} />
		</div>
	);
}
