/** The conversation that the fake host plays: made up, in the shape of a small shop's server. */
import { BARE, DISCOVERED } from "./offers";
import type { Entry } from "./rows";

const request = (after: number, id: string, method: string, params: string, summary: string): Entry => ({
	after,
	kind: "request",
	dir: "c2s",
	id,
	method,
	summary,
	body: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`,
});

const result = (after: number, id: string, value: string, summary = value): Entry => ({
	after,
	kind: "result",
	dir: "s2c",
	id,
	summary,
	body: `{"jsonrpc":"2.0","id":${id},"result":${value}}`,
});

const notify = (after: number, method: string, params: string, summary: string): Entry => ({
	after,
	kind: "notification",
	dir: "s2c",
	method: `notifications/${method}`,
	summary,
	body: `{"jsonrpc":"2.0","method":"notifications/${method}","params":${params}}`,
});

const line = (after: number, kind: "stderr" | "malformed", body: string): Entry => ({
	after,
	kind,
	dir: "s2c",
	body,
	...(kind === "malformed" ? { flags: ["noise"] } : {}),
});

/** Frames of a handshake with a modern server. */
export const HANDSHAKE: Entry[] = [
	{
		after: 0,
		kind: "lifecycle",
		dir: null,
		body: "",
		summary: "opened uv run orders_mcp --stage dev · pid 48213",
	},
	request(
		2,
		"1",
		"server/discover",
		'{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"framescope","version":"0.1.0"}}}',
		"framescope 0.1.0",
	),
	line(35, "stderr", "\u001b[32mINFO\u001b[0m orders_mcp starting, stage dev"),
	result(51, "1", DISCOVERED, "orders-mcp 0.9.1 · 2026-07-28"),
	request(1.4, "2", "tools/list", "{}", ""),
	result(
		74.6,
		"2",
		'{"resultType":"complete","tools":[{"name":"orders.create"},{"name":"orders.get"}]}',
		"14 tools",
	),
];

/** What came after it, some seconds ago. */
export const STORY: Entry[] = [
	...HANDSHAKE,
	request(4130, "20", "resources/read", '{"uri":"orders://SO-9"}', "orders://SO-9"),
	{
		after: 3.1,
		kind: "error",
		dir: "s2c",
		id: "20",
		code: -32602,
		summary: '-32602 Resource not found · data {"uri":"orders://SO-9"}',
		body: '{"jsonrpc":"2.0","id":20,"error":{"code":-32602,"message":"Resource not found","data":{"uri":"orders://SO-9"}}}',
	},
	request(
		1465,
		"22",
		"tools/call",
		'{"name":"orders.create","arguments":{"sku":"KX-2210-B","quantity":2,"total_cents":9007199254740993}}',
		'orders.create {"sku":"KX-2210-B","quantity":2,"total_cents":9007199254740993}',
	),
	line(4, "stderr", "\u001b[33mWARN\u001b[0m stock cache cold, reading from disk"),
	line(7.1, "malformed", "Server listening on :8080"),
	notify(
		21,
		"progress",
		'{"progressToken":22,"progress":2,"total":3,"message":"reserve stock"}',
		"2/3 reserve stock · token 22",
	),
	result(
		16,
		"22",
		'{"resultType":"complete","content":[{"type":"text","text":"Order SO-1042 is reserved.\\nShip by 2026-12-04."}],"structuredContent":{"order_id":"SO-1042","status":"reserved","total_cents":9007199254740993,"rate":1.0,"lines":[{"sku":"KX-2210-B","quantity":2,"warehouse":"BER1"}],"created_at":"2026-11-29T14:02:09.918Z"},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"orders-mcp","version":"0.9.1"}}}',
		'{"order_id":"SO-1042","status":"reserved","total_cents":9007199254740993}',
	),
	request(
		722,
		"23",
		"tools/call",
		'{"name":"reports.run","arguments":{"month":"2026-11","format":"csv"}}',
		'reports.run {"month":"2026-11","format":"csv"}',
	),
	notify(387, "progress", '{"progressToken":23,"progress":14,"total":120}', "14/120 rows · token 23"),
	notify(
		2375,
		"message",
		'{"level":"info","logger":"reports","data":"wrote chunk 1 (4096 rows)"}',
		"info reports: wrote chunk 1 (4 096 rows)",
	),
	notify(3616, "progress", '{"progressToken":23,"progress":41,"total":120}', "41/120 rows · token 23"),
	line(408, "stderr", "INFO slow query 312 ms: select * from order_lines where order_id in (…)"),
	notify(605, "progress", '{"progressToken":23,"progress":71,"total":120}', "71/120 rows · token 23"),
];

/** A server that has nothing to offer: it declares tools and prompts, lists none, and has no resources. */
export const BARE_STORY: Entry[] = HANDSHAKE.map((entry) => {
	if (entry.kind !== "result") return entry;
	if (entry.id === "1") return result(51, "1", BARE, "orders-mcp 0.9.1 · 2026-07-28");
	return result(2, "2", '{"resultType":"complete","tools":[]}', "0 tools");
});

/** How a server dies. */
export const CRASH: Entry[] = [
	line(387, "stderr", "Traceback (most recent call last):"),
	line(0.2, "stderr", '  File "orders_mcp/db.py", line 88, in run_report'),
	line(0.2, "stderr", "sqlite3.OperationalError: database is locked"),
	{
		after: 37,
		kind: "lifecycle",
		dir: null,
		body: "",
		summary: "closed process exited, code 3 · 1 request unanswered",
		code: 3,
		flags: ["crash"],
	},
];
