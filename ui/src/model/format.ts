/** Numbers, sizes, times and durations as the page writes them. Pure; the time zone is the machine's. */

/** Joins a number and its unit, and groups of digits, without a line break. */
const NBSP = "\u00a0";

/** A count with groups of three: `18 440`. */
export function count(n: number): string {
	return String(n).replace(/\B(?=(\d{3})+$)/g, NBSP);
}

/** A size in decimal units: `598 B`, `1.3 kB`, `212 kB`. */
export function bytes(n: number): string {
	const units = ["B", "kB", "MB", "GB", "TB"];
	let value = n;
	let unit = 0;
	while (value >= 999.5 && unit < units.length - 1) {
		value /= 1000;
		unit += 1;
	}
	const text = unit > 0 && value < 9.95 ? value.toFixed(1) : String(Math.round(value));
	return `${text}${NBSP}${units[unit]}`;
}

/** A duration in microseconds, three significant digits or more: `412 µs`, `17.2 ms`, `1.465 s`, `4m 12s`. */
export function duration(us: number): string {
	if (us < 1000) return `${Math.round(us)}${NBSP}µs`;
	const ms = us / 1000;
	if (ms < 9.995) return `${ms.toFixed(2)}${NBSP}ms`;
	if (ms < 99.95) return `${ms.toFixed(1)}${NBSP}ms`;
	if (ms < 999.5) return `${Math.round(ms)}${NBSP}ms`;
	const s = ms / 1000;
	if (s < 9.9995) return `${s.toFixed(3)}${NBSP}s`;
	if (s < 59.95) return `${s.toFixed(1)}${NBSP}s`;
	const whole = Math.round(s);
	if (whole < 3600) return `${Math.floor(whole / 60)}m${NBSP}${pad(whole % 60)}s`;
	const minutes = Math.round(s / 60);
	return `${Math.floor(minutes / 60)}h${NBSP}${pad(minutes % 60)}m`;
}

/** Gap to the record above: `+21 ms`; empty for the first record. */
export function gap(us: number | null): string {
	return us === null ? "" : `+${duration(us)}`;
}

/** How the time of a record is written, and what that is called in the head of its column. */
export interface Clock {
	head: string;
	text: (us: number) => string;
}

/** The clock of a format: of the day here, of the day in UTC, or since `startUs`. */
export function clockOf(format: "local" | "utc" | "relative", startUs: number): Clock {
	if (format === "utc")
		return { head: "Time, UTC", text: (us) => new Date(us / 1000).toISOString().slice(11, 23) };
	if (format === "local") return { head: "Time", text: clock };
	return { head: "Since start", text: (us) => elapsed(us - startUs) };
}

/** `0:09.918`, `1:02:09.918`; of what came before the start with a minus. */
function elapsed(us: number): string {
	const ms = Math.round(Math.abs(us) / 1000);
	const minutes = Math.floor(ms / 60_000);
	const rest = `${pad(Math.floor(ms / 1000) % 60)}.${pad(ms % 1000, 3)}`;
	const hours = minutes >= 60 ? `${Math.floor(minutes / 60)}:${pad(minutes % 60)}` : String(minutes);
	return `${us < 0 ? "−" : ""}${hours}:${rest}`;
}

/** Time of day, `14:02:09.918`. */
export function clock(us: number): string {
	const date = new Date(us / 1000);
	return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
}

/** Date and time to the microsecond, for details. */
export function exactTime(us: number): string {
	const date = new Date(us / 1000);
	const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
	return `${day} ${clock(us)}${pad(us % 1000, 3)}`;
}

/** Start of a session as the rail shows it: `14:11` today, else `28 Nov`. */
export function when(us: number, nowUs: number): string {
	const date = new Date(us / 1000);
	if (date.toDateString() === new Date(nowUs / 1000).toDateString()) {
		return `${pad(date.getHours())}:${pad(date.getMinutes())}`;
	}
	return day("this", false).format(date);
}

/** Formatters are dear to make, and lists ask for them at every row. */
const made = new Map<string, Intl.DateTimeFormat>();

function formatter(options: Intl.DateTimeFormatOptions, utc: boolean): Intl.DateTimeFormat {
	const zoned = utc ? { ...options, timeZone: "UTC" } : options;
	const key = JSON.stringify(zoned);
	const known = made.get(key) ?? new Intl.DateTimeFormat("en-GB", zoned);
	made.set(key, known);
	return known;
}

const day = (year: "this" | "other", utc: boolean) =>
	formatter({ day: "numeric", month: "short", ...(year === "this" ? {} : { year: "numeric" }) }, utc);
const time = (utc: boolean) =>
	formatter({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }, utc);

/** Start of a session in a table: `29 Nov 13:57:59`, with the year where it is another one. */
export function started(us: number, nowUs: number, utc: boolean): string {
	const date = new Date(us / 1000);
	const thisYear = date.getFullYear() === new Date(nowUs / 1000).getFullYear();
	return `${day(thisYear ? "this" : "other", utc).format(date)} ${time(utc).format(date)}`;
}

/** Relative under a minute, absolute otherwise. */
export function ago(us: number, nowUs: number): string {
	const seconds = Math.max(0, Math.floor((nowUs - us) / 1e6));
	return seconds < 60 ? `${seconds} s ago` : `at ${clock(us).slice(0, 8)}`;
}

/** How long something has lasted, for a line of prose: `12 s`, `4 min 12 s`, `2 h 5 min`. */
export function lasting(us: number): string {
	const seconds = Math.max(0, Math.floor(us / 1e6));
	if (seconds < 60) return `${seconds} s`;
	if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
	return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** A time-out as one types it: `30 s`, `1500 ms`, `2 min`. */
export function lastingMs(ms: number): string {
	if (ms % 60_000 === 0 && ms > 0) return `${ms / 60_000} min`;
	return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}

/** Milliseconds of a typed time; a bare number is seconds. Null where it is no time. */
export function milliseconds(text: string): number | null {
	const [, number, unit = "s"] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?\s*$/i.exec(text) ?? [];
	if (number === undefined) return null;
	const factor = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }[unit.toLowerCase()] ?? 1000;
	return Math.round(Number(number) * factor);
}

/** `1 item`, `3 items`. */
export function plural(n: number, word: string): string {
	return `${count(n)} ${word}${n === 1 ? "" : "s"}`;
}

function pad(n: number, width = 2): string {
	return String(n).padStart(width, "0");
}
