/** Sending: requests, raw frames, what waits, and what became of it. */
import type { CheckRow } from "../bindings/CheckRow";
import type { EditRow } from "../bindings/EditRow";
import type { PendingRow } from "../bindings/PendingRow";
import type { RecordRow } from "../bindings/RecordRow";
import type { RequestDraft } from "../bindings/RequestDraft";
import type { Area, Host } from "./host";
import { isJson, ScriptLog } from "./rows";
import { BIG, TOOLS } from "./script";

type Names =
	| "preview_request"
	| "send_request"
	| "send_raw"
	| "edit_record"
	| "list_pending"
	| "check_json"
	| "await_outcome"
	| "cancel_request"
	| "extend_request"
	| "list_catalog";

/** Milliseconds that a request waits where its draft does not say. */
const TIMEOUT_MS = 30_000;

export class Talk {
	private readonly waiting = new Map<string, () => void>();
	private readonly deadlines = new Map<string, number>();
	private ids = 23;

	constructor(
		private readonly host: Host,
		/** Ends a session as a server that dies does. */
		private readonly crash: (session: string) => void,
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
			const request = log.row(seq - 1);
			const answer = request.answer === null ? null : log.row(request.answer - 1);
			return {
				request,
				answer,
				verdict: request.verdict ?? "ok",
				message: answer ? null : "No answer came.",
			};
		},
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
			this.host.mustBeUp(session);
			return { tools: TOOLS, problems: ["Item 12 of tools/list has no name."] };
		},
	};

	/** Every request of a session that waits comes to an end. */
	abandon(session: string): void {
		const log = this.host.log(session);
		for (let i = 0; i < log.size; i += 1) {
			if (log.row(i).verdict === "pending") this.settle(session, i + 1, { verdict: "unanswered" });
		}
	}

	private send(session: string, draft: RequestDraft): { seq: number; id: string } {
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
		const timeout = draft.timeout_ms ?? TIMEOUT_MS;
		this.deadlines.set(`${session}/${row.seq}`, (Date.now() + timeout) * 1000);
		if (name === "server.crash") setTimeout(() => this.crash(session), 200);
		else setTimeout(() => this.answer(session, row, name), name === "reports.run" ? 12_000 : 90);
		this.tellPending(session);
		return { seq: row.seq, id };
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
		if (id !== "" && message !== null) setTimeout(() => this.answer(session, row, method ?? ""), 90);
		return { seq: row.seq, id };
	}

	private answer(session: string, request: RecordRow, name: string): void {
		if (this.host.log(session).row(request.seq - 1).verdict !== "pending") return;
		const value =
			name === "reports.big"
				? BIG
				: `{"resultType":"complete","content":[{"type":"text","text":"${name} says hello"}],"structuredContent":{"exact":9007199254740993,"one":1.0}}`;
		this.host.append(session, {
			after: 90,
			kind: "result",
			dir: "s2c",
			id: request.id ?? "",
			summary: value,
			body: `{"jsonrpc":"2.0","id":${request.id},"result":${value}}`,
		});
		this.done(session, request.seq);
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
				deadline_us: this.deadlines.get(`${session}/${row.seq}`) ?? null,
				progress: null,
			});
		}
		return waiting;
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

/** A stand-in for the check: type, required members and bounds of an object's own members. */
function check(schema: string, value: string): CheckRow {
	const rules = parsed(schema);
	const whole = parsed(value);
	if (!rules || !whole) return { problems: [], unchecked: rules ? "no JSON object" : "no schema" };
	const problems: CheckRow["problems"] = [];
	for (const missing of (rules.required ?? []) as string[]) {
		if (!(missing in whole)) {
			problems.push({ path: "", missing, keyword: "required", message: `${missing} is missing` });
		}
	}
	const members = (rules.properties ?? {}) as Record<string, { type?: string; maximum?: number }>;
	for (const [name, rule] of Object.entries(members)) {
		const of = whole[name];
		const path = `/${name}`;
		if (rule.maximum !== undefined && typeof of === "number" && of > rule.maximum) {
			problems.push({ path, missing: null, keyword: "maximum", message: `above maximum ${rule.maximum}` });
		}
		if (rule.type === "integer" && of !== undefined && !Number.isInteger(of)) {
			problems.push({ path, missing: null, keyword: "type", message: `integer expected, got ${typeof of}` });
		}
	}
	return { problems, unchecked: null };
}
