/** What the fake host plays over HTTP: one call, and the exchange that carried it. */
import type { ExchangeRow } from "../bindings/ExchangeRow";
import type { HttpRow } from "../bindings/HttpRow";
import type { Entry, Log } from "./rows";

interface HttpEvent {
	phase: "request" | "response" | "end";
	method?: string;
	url?: string;
	status?: number;
	headers?: [string, string][];
	connect_us?: number;
	text?: string;
}

const http = (
	after: number,
	dir: Entry["dir"],
	viaBack: number,
	summary: string,
	event: HttpEvent,
): Entry => ({
	after,
	kind: "http",
	dir,
	viaBack,
	summary,
	body: JSON.stringify(event),
	...(event.status === undefined ? {} : { code: event.status }),
});

export const URL = "http://127.0.0.1:3000/mcp";

/** Records 1 to 6: opened; the call; its POST; 200; the result; the end. */
export const HTTP_STORY: Entry[] = [
	{ after: 0, kind: "lifecycle", dir: null, body: "", summary: `opened ${URL}` },
	{
		after: 2,
		kind: "request",
		dir: "c2s",
		id: "1",
		method: "tools/call",
		summary: "invoices.list {}",
		body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"invoices.list","arguments":{}}}',
	},
	http(0.1, "c2s", 1, `POST ${URL}`, {
		phase: "request",
		method: "POST",
		url: URL,
		headers: [
			["host", "127.0.0.1:3000"],
			["accept", "application/json, text/event-stream"],
			["authorization", "‹secret:authorization›"],
			["mcp-protocol-version", "2025-11-25"],
		],
	}),
	http(14, "s2c", 2, "200 · HTTP/1.1", {
		phase: "response",
		status: 200,
		headers: [["content-type", "text/event-stream"]],
		connect_us: 1240,
		text: "HTTP/1.1",
	}),
	{
		after: 0.4,
		kind: "result",
		dir: "s2c",
		id: "1",
		viaBack: 3,
		summary: "2 invoices",
		body: '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"2 invoices"}]}}',
	},
	http(0.2, "s2c", 4, "end of the response", { phase: "end" }),
];

/** The exchange that carried a record of a log. */
export function exchangeOf(log: Log, seq: number): ExchangeRow | null {
	const via = log.row(seq - 1).via ?? seq;
	const exchange: ExchangeRow = { frame: via, request: null, response: null, end: null };
	for (let i = 0; i < log.size; i += 1) {
		const row = log.row(i);
		if (row.kind !== "http" || (row.via !== via && row.seq !== via)) continue;
		const event = JSON.parse(log.body(row.seq)) as HttpEvent;
		exchange[event.phase] = part(row.seq, row.at_us, event);
	}
	return exchange.request ? exchange : null;
}

function part(seq: number, at_us: number, event: HttpEvent): HttpRow {
	return {
		seq,
		at_us,
		method: event.method ?? null,
		url: event.url ?? null,
		status: event.status ?? null,
		headers: event.headers ?? [],
		connect_us: event.connect_us ?? null,
		text: event.text ?? null,
	};
}
