/** How far a request that waits is. */
import type { PendingRow } from "../ipc/bindings/PendingRow";
import { count, lasting } from "./format";

/** Where a request stands at a moment. */
export interface Remaining {
	/** Per cent of the bar. */
	part: number;
	/** The bar is the server's word; else it is how much of the time is over. */
	told: boolean;
	/** Whole seconds until it times out; null where it waits for ever. */
	left: number | null;
}

/** How far a request is at `nowUs`, microseconds since the epoch. */
export function remaining(row: PendingRow, nowUs: number): Remaining {
	const { deadline_us, sent_us, progress } = row;
	const left = deadline_us === null ? null : Math.max(0, Math.ceil((deadline_us - nowUs) / 1e6));
	if (progress && progress.total !== null && progress.total > 0)
		return { part: percent(progress.progress / progress.total), told: true, left };
	if (deadline_us === null) return { part: 0, told: false, left };
	return { part: percent((nowUs - sent_us) / Math.max(1, deadline_us - sent_us)), told: false, left };
}

/** `71/120 · 5.7/s · about 9 s to go`; null before the first progress. */
export function progressWords({ progress, sent_us }: PendingRow): string | null {
	if (!progress) return null;
	const seconds = (progress.at_us - sent_us) / 1e6;
	const rate = seconds > 0 ? progress.progress / seconds : 0;
	const done =
		progress.total === null
			? number(progress.progress)
			: `${number(progress.progress)}/${number(progress.total)}`;
	if (rate <= 0) return done;
	const toGo = progress.total === null ? 0 : (progress.total - progress.progress) / rate;
	return `${done} · ${number(rate)}/s${toGo > 0 ? ` · about ${lasting(Math.ceil(toGo) * 1e6)} to go` : ""}`;
}

function number(n: number): string {
	if (Number.isInteger(n)) return count(n);
	return Math.abs(n) >= 100 ? count(Math.round(n)) : n.toPrecision(2);
}

function percent(part: number): number {
	return Math.min(100, Math.max(0, part * 100));
}
