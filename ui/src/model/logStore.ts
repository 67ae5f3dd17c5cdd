/** Log messages of a server (server/utilities/logging): read from a session's log, and followed as it grows. */
import type { Backend } from "../ipc/backend";
import type { RecordRow } from "../ipc/bindings/RecordRow";
import { Follow } from "./follow";
import { at, readJson, text } from "./json/tree";

/** The levels, rising (RFC 5424). */
export const LEVELS = [
	"debug",
	"info",
	"notice",
	"warning",
	"error",
	"critical",
	"alert",
	"emergency",
] as const;

/** A message. */
export interface LogLine {
	seq: number;
	at_us: number;
	/** As written; one of {@link LEVELS} where the server keeps to the specification. */
	level: string;
	/** Empty where it names none. */
	logger: string;
	/** Its data: a string's characters, anything else as JSON text. */
	text: string;
}

/** What is shown of the messages. */
export interface LogFilter {
	/** From this level on; a level that is none is always shown. */
	level: string;
	/** Of this logger alone; null for all. */
	logger: string | null;
	text: string;
}

/** The messages of one session. */
export class LogStore extends Follow {
	private told: { of: readonly RecordRow[]; lines: readonly LogLine[] } = { of: [], lines: [] };
	private readonly known = new WeakMap<RecordRow, LogLine>();

	constructor(backend: Backend, session: string) {
		super(backend, session, "kind:notification method:notifications/message");
	}

	/** The same list until a message comes. */
	get lines(): readonly LogLine[] {
		if (this.told.of !== this.rows)
			this.told = { of: this.rows, lines: this.rows.map((row) => this.lineOf(row)) };
		return this.told.lines;
	}

	private lineOf(row: RecordRow): LogLine {
		const line = this.known.get(row) ?? readLine(row);
		this.known.set(row, line);
		return line;
	}
}

/** Reads a message; of a long one what the row says of it: `level logger: data`. */
export function readLine({ seq, at_us, whole, summary }: RecordRow): LogLine {
	if (whole === null) {
		const [, level = "", logger = "", said = summary] = /^(\S*?)(?: ([^:]*))?: (.*)$/s.exec(summary) ?? [];
		return { seq, at_us, level, logger, text: said };
	}
	const params = at(readJson(whole), "params");
	const data = at(params, "data");
	return {
		seq,
		at_us,
		level: text(at(params, "level")) ?? "",
		logger: text(at(params, "logger")) ?? "",
		text: text(data) ?? data?.raw ?? "",
	};
}

/** The messages that a filter lets through. */
export function filterLines(lines: readonly LogLine[], filter: LogFilter): LogLine[] {
	const from = rank(filter.level);
	const wanted = filter.text.trim().toLowerCase();
	return lines.filter(({ level, logger, text: said }) => {
		const own = rank(level);
		return (
			(own < 0 || own >= from) &&
			(filter.logger === null || logger === filter.logger) &&
			(wanted === "" || `${logger} ${said}`.toLowerCase().includes(wanted))
		);
	});
}

/** Place among the levels; -1 where it is none. */
export function rank(level: string): number {
	return (LEVELS as readonly string[]).indexOf(level);
}
