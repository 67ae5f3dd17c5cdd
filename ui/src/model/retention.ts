/** What a retention would delete, before it is applied. */
import type { Retention } from "../ipc/bindings/Retention";
import type { SessionRow } from "../ipc/bindings/SessionRow";

/** Bytes of a GB. */
const GB = 1e9;
const DAY_US = 86_400e6;

/** The greatest limit, in days or GB. */
const MOST = 100_000;

/** A limit as typed: null where it is off, undefined where it is no whole number above 0. */
export function limitOf(text: string): number | null | undefined {
	if (text.trim() === "") return null;
	const value = Number(text);
	return Number.isInteger(value) && value > 0 && value <= MOST ? value : undefined;
}

/** Sessions that would be deleted now: ended, not pinned, and too old or, oldest first, too many bytes. */
export function doomed(
	rows: readonly SessionRow[],
	{ days, gigabytes }: Retention,
	diskBytes: number,
	nowUs: number,
): SessionRow[] {
	const free = rows
		.filter((row) => row.ended_us !== null && !row.pinned)
		.sort((a, b) => (a.ended_us ?? 0) - (b.ended_us ?? 0));
	const old = days === null ? [] : free.filter((row) => (row.ended_us ?? nowUs) < nowUs - days * DAY_US);
	if (gigabytes === null) return old;
	let left = diskBytes - old.reduce((sum, row) => sum + row.bytes, 0);
	const more: SessionRow[] = [];
	for (const row of free.slice(old.length)) {
		if (left <= gigabytes * GB) break;
		more.push(row);
		left -= row.bytes;
	}
	return [...old, ...more];
}
