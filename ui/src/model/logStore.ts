/** Log messages of a server (server/utilities/logging): read from a session's log, and followed as it grows. */
import type { Backend } from "../ipc/backend";
import type { RecordRow } from "../ipc/bindings/RecordRow";
import type { RecordsAppended } from "../ipc/bindings/RecordsAppended";
import { words } from "./errors";
import { at, readJson, text } from "./json/tree";
import { Observable } from "./observable";

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

/** Messages that are kept; the timeline has all. */
const MAX_LINES = 20_000;
/** Rows that are read at a time. */
const CHUNK = 500;

/** The messages of one session. */
export class LogStore extends Observable {
	lines: LogLine[] = [];
	/** Messages in the log. */
	total = 0;
	/** Why the log cannot be read. */
	failure: string | null = null;
	private view: number | null = null;
	/** Index in the view of what is read next. */
	private next = 0;
	private reading = false;
	private ended = false;

	constructor(
		private readonly backend: Backend,
		private readonly session: string,
	) {
		super();
	}

	/** Reads and follows until the answer is called. */
	start(): () => void {
		const listening = this.backend.listen("records-appended", (event) => this.apply(event));
		void this.open();
		return () => {
			this.ended = true;
			void listening.then((end) => end());
			if (this.view !== null)
				void this.backend.call("close_view", { view: this.view }).catch(() => undefined);
		};
	}

	private async open(): Promise<void> {
		try {
			const opened = await this.backend.call("open_view", {
				session: this.session,
				filter: "kind:notification method:notifications/message",
			});
			this.view = opened.view;
			if (this.ended) {
				await this.backend.call("close_view", { view: opened.view });
				return;
			}
			this.total = opened.total;
			this.next = Math.max(0, opened.total - MAX_LINES);
			await this.read();
		} catch (error) {
			this.failure = words(error);
			this.changed();
		}
	}

	private apply(event: RecordsAppended): void {
		if (event.view !== this.view) return;
		this.total = event.total;
		void this.read().catch((error: unknown) => {
			this.failure = words(error);
			this.changed();
		});
	}

	/** Reads what is missing, and says that more may come. */
	private async read(): Promise<void> {
		const { view } = this;
		if (this.reading || view === null) return;
		this.reading = true;
		try {
			while (this.next < this.total && !this.ended) {
				const n = Math.min(CHUNK, this.total - this.next);
				const rows = await this.backend.call("view_rows", { view, from: this.next, n });
				if (rows.length === 0) break;
				this.next += rows.length;
				this.lines = [...this.lines, ...rows.map(readLine)].slice(-MAX_LINES);
				this.changed();
			}
			await this.backend.call("ack", { view, total: this.total });
			this.changed();
		} finally {
			this.reading = false;
		}
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
