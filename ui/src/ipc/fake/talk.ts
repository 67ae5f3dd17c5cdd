/** Sending: requests, raw frames, what waits, and what became of it. */
import type { EditRow } from "../bindings/EditRow";
import type { OutcomeRow } from "../bindings/OutcomeRow";
import type { PendingRow } from "../bindings/PendingRow";
import type { ProgressRow } from "../bindings/ProgressRow";
import type { RecordRow } from "../bindings/RecordRow";
import type { RequestDraft } from "../bindings/RequestDraft";
import type { ToolRow } from "../bindings/ToolRow";
import { type Answer, answerOf } from "./answers";
import { check } from "./check";
import type { Area, Host } from "./host";
import { offerAnswer } from "./offers";
import { isJson, type Log, ScriptLog } from "./rows";
import { TOOLS } from "./tools";

type Names =
	| "preview_request"
	| "send_request"
	| "send_raw"
	| "edit_record"
	| "list_pending"
	| "check_json"
	| "await_outcome"
	| "get_outcome"
	| "cancel_request"
	| "extend_request"
	| "list_catalog";

/** Milliseconds that a request waits where its draft does not say. */
const TIMEOUT_MS = 30_000;

export class Talk {
	private readonly waiting = new Map<string, () => void>();
	private readonly deadlines = new Map<string, number>();
	private readonly opened = Date.now() * 1000;
	private ids = 23;

	constructor(
		private readonly host: Host,
		/** Ends a session as a server that dies does. */
		private readonly crash: (session: string) => void,
		private readonly tools: ToolRow[] = TOOLS,
	) {}

	readonly commands: Area<Names> = {
		preview_request: ({ session, draft }) => {
			this.host.mustBeUp(session);
			const text = frame(this.ids + 1, draft);
			const ok = draft.params === null || isJson(draft.params);
			return {
				text,
				size: text.length,
				headers: this.host.session(session).transport === "stdio" ? [] : draft.headers,
				id: String(this.ids + 1),
				problem: ok ? null : "The arguments are not JSON.",
			};
		},
		send_request: ({ session, draft }) => this.send(session, draft),
		send_raw: ({ session, text }) => this.sendRaw(session, text),
		edit_record: ({ session, seq }) => editRow(this.host.log(session).body(seq)),
		list_pending: ({ session }) => this.pending(session),
		check_json: ({ schema, value }) => check(schema, value),
		await_outcome: async ({ session, seq }) => {
			const log = this.host.log(session);
			if (log.row(seq - 1).verdict === "pending") {
				await new Promise<void>((resolve) => this.waiting.set(`${session}/${seq}`, resolve));
			}
			return this.outcome(session, seq);
		},
		get_outcome: ({ session, seq }) => this.outcome(session, seq),
		cancel_request: ({ session, seq }) => {
			this.settle(session, seq, { verdict: "cancelled" });
			return null;
		},
		extend_request: ({ session, seq, ms }) => {
			const key = `${session}/${seq}`;
			this.deadlines.set(key, (this.deadlines.get(key) ?? Date.now() * 1000) + ms * 1000);
			this.tellPending(session);
			return null;
		},
		list_catalog: ({ session }) => {
			// What is not connected is shown as it was, where it was read.
			if (!this.listed(session)) this.host.mustBeUp(session);
			return {
				tools: this.tools,
				problems: this.tools.length === 0 ? [] : ["Item 12 of tools/list has no name."],
				stale: false,
				ttl_ms: 300_000,
				cache_scope: "private",
			};
		},
	};

	/** Whether a session has asked for its tools. */
	private listed(session: string): boolean {
		const log = this.host.log(session);
		return Array.from({ length: log.size }, (_, i) => log.row(i)).some(
			(row) => row.kind === "result" && row.method === "tools/list",
		);
	}

	private outcome(session: string, seq: number): OutcomeRow {
		const log = this.host.log(session);
		const request = log.row(seq - 1);
		const answer = request.answer === null ? null : log.row(request.answer - 1);
		return {
			request,
			answer,
			verdict: request.verdict ?? "ok",
			message: answer ? null : "No answer came.",
		};
	}

	/** Every request of a session that waits comes to an end. */
	abandon(session: string): void {
		const log = this.host.log(session);
		for (let i = 0; i < log.size; i += 1) {
			if (log.row(i).verdict === "pending") this.settle(session, i + 1, { verdict: "unanswered" });
		}
	}

	/** Sends a request; it is answered by and by. */
	send(session: string, draft: RequestDraft): { seq: number; id: string } {
		this.ids += 1;
		const id = String(this.ids);
		const name = /"name":"([^"]*)"/.exec(draft.params ?? "")?.[1] ?? "";
		const row = this.host.append(session, {
			after: this.sinceLast(session),
			kind: "request",
			dir: "c2s",
			id,
			method: draft.method,
			summary: `${name} ${draft.params?.slice(0, 120) ?? ""}`,
			body: frame(this.ids, draft),
		});
		const answer = offerAnswer(draft.method, draft.params) ?? answerOf(name);
		const timeout = answer.timeout ?? draft.timeout_ms ?? TIMEOUT_MS;
		this.deadlines.set(`${session}/${row.seq}`, (Date.now() + timeout) * 1000);
		if (name === "server.crash") setTimeout(() => this.crash(session), 200);
		else setTimeout(() => this.answer(session, row, answer), answer.after);
		if (answer.timeout !== undefined)
			setTimeout(() => this.settle(session, row.seq, { verdict: "timeout" }), timeout);
		if (answer.steps !== undefined) this.progress(session, row, answer.steps, answer.after);
		this.tellPending(session);
		return { seq: row.seq, id };
	}

	/** Tells progress in twenty steps until the answer is due. */
	private progress(session: string, request: RecordRow, total: number, ms: number): void {
		for (let i = 1; i < 20; i += 1) {
			setTimeout(
				() => {
					if (this.host.log(session).row(request.seq - 1).verdict !== "pending") return;
					const done = Math.round((total * i) / 20);
					const params = `{"progressToken":${request.id},"progress":${done},"total":${total},"message":"reading rows"}`;
					this.host.append(session, {
						after: this.sinceLast(session),
						kind: "notification",
						dir: "s2c",
						method: "notifications/progress",
						summary: `${done}/${total} reading rows · token ${request.id}`,
						body: `{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`,
					});
					this.tellPending(session);
				},
				(ms * i) / 20,
			);
		}
	}

	private sendRaw(session: string, text: string): { seq: number; id: string } {
		this.host.mustBeUp(session);
		const message = parsed(text);
		const id = message && "id" in message ? JSON.stringify(message.id) : "";
		const method = typeof message?.method === "string" ? message.method : undefined;
		const row = this.host.append(session, {
			after: this.sinceLast(session),
			kind: message === null ? "malformed" : id === "" ? "notification" : "request",
			dir: "c2s",
			body: text,
			...(id === "" ? {} : { id }),
			...(method === undefined ? {} : { method }),
		});
		if (id !== "" && message !== null) setTimeout(() => this.answer(session, row, rawAnswer(method)), 90);
		return { seq: row.seq, id };
	}

	private answer(session: string, request: RecordRow, { body, error, isError }: Answer): void {
		const { verdict } = this.host.log(session).row(request.seq - 1);
		const legacy = this.host.session(session).era === "legacy";
		const told = legacy ? body.replace('"resultType":"complete",', "").replace('"one":1.0', '"one":1') : body;
		const late = verdict === "timeout" || verdict === "cancelled";
		if (verdict !== "pending" && !late) return;
		this.host.append(session, {
			after: this.sinceLast(session),
			kind: error ? "error" : "result",
			dir: "s2c",
			id: request.id ?? "",
			summary: told.slice(told.indexOf(":") + 1),
			body: `{"jsonrpc":"2.0","id":${request.id},${told}}`,
			...(error ?? {}),
			...(isError ? { isError } : {}),
			...(late ? { flags: ["late"] } : {}),
		});
		// The time-out stays visible.
		if (late) this.settle(session, request.seq, { verdict });
		else this.done(session, request.seq);
	}

	private settle(session: string, seq: number, change: Partial<RecordRow>): void {
		const log = this.host.log(session);
		if (log instanceof ScriptLog) this.host.tell(session, [], [log.set(seq, change)]);
		this.done(session, seq);
	}

	private done(session: string, seq: number): void {
		this.waiting.get(`${session}/${seq}`)?.();
		this.tellPending(session);
	}

	private tellPending(session: string): void {
		this.host.emit("pending-changed", { session, pending: this.pending(session) });
	}

	private pending(session: string): PendingRow[] {
		const log = this.host.log(session);
		const waiting: PendingRow[] = [];
		for (let i = 0; i < log.size; i += 1) {
			const row = log.row(i);
			if (row.verdict !== "pending") continue;
			waiting.push({
				seq: row.seq,
				id: row.id ?? "",
				method: row.method ?? "",
				what: /"name":"([^"]*)"/.exec(log.body(row.seq))?.[1] ?? null,
				sent_us: row.at_us,
				deadline_us: this.deadlines.get(`${session}/${row.seq}`) ?? this.deadlineOf(row),
				progress: progressOf(log, row),
			});
		}
		return waiting;
	}

	/** What the script has sent times out a minute after the window opened; a raw frame never does. */
	private deadlineOf(row: RecordRow): number | null {
		return row.method === "tools/call" ? this.opened + 60e6 : null;
	}

	private sinceLast(session: string): number {
		const log = this.host.log(session);
		return log.size === 0 ? 0 : Date.now() - log.row(log.size - 1).at_us / 1000;
	}
}

function frame(id: number, draft: RequestDraft): string {
	const params = draft.params === null ? "" : `,"params":${draft.params.replaceAll("\n", " ")}`;
	return `{"jsonrpc":"2.0","id":${id},"method":"${draft.method}"${params}}`;
}

function parsed(text: string): Record<string, unknown> | null {
	if (!isJson(text)) return null;
	const value: unknown = JSON.parse(text);
	return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}

function editRow(text: string): EditRow {
	const message = parsed(text);
	const params = message?.method === "tools/call" ? (message.params as Record<string, unknown>) : null;
	return {
		text,
		headers: [],
		tool: typeof params?.name === "string" ? params.name : null,
		arguments: /"arguments":(\{.*\})\}\}\s*$/s.exec(text)?.[1] ?? null,
	};
}

/** The newest progress that names a request. */
function progressOf(log: Log, request: RecordRow): ProgressRow | null {
	let count = 0;
	let newest: ProgressRow | null = null;
	for (let i = request.seq; i < log.size; i += 1) {
		const row = log.row(i);
		const params = row.method === "notifications/progress" ? parsed(log.body(row.seq))?.params : null;
		const told = params as {
			progressToken: unknown;
			progress: number;
			total?: number;
			message?: string;
		} | null;
		if (!told || JSON.stringify(told.progressToken) !== request.id) continue;
		count += 1;
		const { progress, total = null, message = null } = told;
		newest = { progress, total, message, at_us: row.at_us, count };
	}
	return newest;
}

/** The made-up server knows pings and lists; it refuses the rest. */
function rawAnswer(method: string | undefined): Answer {
	if (method === "ping") return { after: 0, body: '"result":{}' };
	if (method?.endsWith("/list")) return { after: 0, body: '"result":{"resultType":"complete"}' };
	const message = JSON.stringify(`Method not found: ${method}`);
	return { after: 0, body: `"error":{"code":-32601,"message":${message}}`, error: { code: -32601 } };
}
