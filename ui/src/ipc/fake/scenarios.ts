/** States that a picture or a test needs: `?scenario=NAME`. Each is played on the live session once it is there. */
import type { Host } from "./host";
import type { Entry } from "./rows";

/** What a scenario plays on. */
interface Stage {
	host: Host;
	/** The live session. */
	live: string;
	/** Ends every request of a session that waits. */
	abandon: (session: string) => void;
}

const stderr = (after: number, body: string): Entry => ({ after, kind: "stderr", dir: "s2c", body });

/** Text that means to mislead, and text that few fonts have. */
const HOSTILE: Entry[] = [
	stderr(12, "\u001b[1;31mERROR\u001b[0m \u001b[2J\u001b]0;title\u0007 cleared your screen"),
	stderr(3, "bidi: file\u202Ecod.exe\u202C, isolate \u2066abc\u2069, mark \u200Fx"),
	stderr(3, "zero width: a\u200Bb\u200Cc\u200Dd\uFEFFe, tag \u{E0041}, soft\u00ADhyphen"),
	stderr(3, "control pictures: ␀ ␉ ␊ ␍ ␛ ␡; separators: a\u2028b\u2029c; C1: \u0085 \u009B"),
	stderr(3, "नमस्ते दुनिया · 你好，世界 · مرحبا بالعالم · こんにちは · 안녕하세요 · สวัสดี · שלום"),
	stderr(3, "combining: é ö Z̸a̷l̶g̵o̴ · emoji: 🚀 👩‍👩‍👧‍👦 🏳️‍🌈 ✅ 👋🏽"),
	{
		after: 5,
		kind: "notification",
		dir: "s2c",
		method: "notifications/message\u202E",
		summary: "info <img src=x onerror=alert(1)>: x\u202Egnp.exe नमस्ते 你好 🚀␊two",
		body: '{"jsonrpc":"2.0","method":"notifications/message\u202E","params":{"level":"info","data":"<img src=x onerror=alert(1)> x\u202Egnp.exe\\nनमस्ते 你好 مرحبا 🚀 é \u200B\u001b[31mred"}}',
	},
	{ after: 5, kind: "malformed", dir: "s2c", body: "\u0000\u0001 half a frame \uFFFD {\u202E" },
];

const request = (id: string, name: string): Entry => ({
	after: 40,
	kind: "request",
	dir: "c2s",
	id,
	method: "tools/call",
	summary: `${name} {}`,
	body: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{}}}`,
});

const result = (id: string, more: Partial<Entry> = {}): Entry => ({
	after: 130,
	kind: "result",
	dir: "s2c",
	id,
	summary: "text “done”",
	body: `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"done"}],"isError":${more.isError ?? false}}}`,
	...more,
});

/** A row of each mark and verdict. */
const MARKS: Entry[] = [
	request("31", "stock.get"),
	result("31", { flags: ["late"] }),
	result("31", { after: 2, flags: ["duplicate"] }),
	result("99", { after: 2, flags: ["orphan"] }),
	{ ...request('"a-32"', "orders.refund"), flags: ["redacted"] },
	result('"a-32"', { isError: true, summary: "isError · text “already shipped”" }),
	request("33", "stock.watch"),
	request("34", "reports.run"),
	stderr(4, "WARN the line has no end"),
	{ after: 1, kind: "note", dir: null, body: "stock.get answered after its time-out" },
];

const refund = (id: string, more: string): Entry => ({
	...request(id, "orders.refund"),
	summary: 'orders.refund {"order_id":"SO-1042"}',
	body: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"orders.refund","arguments":{"order_id":"SO-1042"}${more}}}`,
});

const wants = (id: string, members: string): Entry => ({
	...result(id),
	summary: `{"resultType":"input_required",${members}}`,
	body: `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required",${members}}}`,
});

const sentAgain = (of: string, round: number, aboutBack: number): Entry => ({
	after: 2,
	kind: "note",
	dir: null,
	aboutBack,
	body: `${of} was sent again: round ${round} with what the server asked for`,
});

const FIRST_STATE = '"eyJzdGVwIjoxfQ\\u003d\\u003d.c2lnbmVk+/="';
const SECOND_STATE = '"eyJzdGVwIjoyfQ.9007199254740993"';
const QUESTION =
	'{"confirm":{"method":"elicitation/create","params":{"mode":"form","message":"Refund 49.90 €?","requestedSchema":{"type":"object","properties":{"sure":{"type":"boolean"}}}}}}';

/** A call that takes three rounds, the last without a question, and another in between. */
const ROUNDS: Entry[] = [
	refund("41", ""),
	wants("41", `"inputRequests":${QUESTION},"requestState":${FIRST_STATE}`),
	request("42", "orders.get"),
	stderr(3, "INFO waiting for a confirmation"),
	result("42"),
	sentAgain("#20", 2, 5),
	refund(
		"43",
		`,"inputResponses":{"confirm":{"action":"accept","content":{"sure":true}}},"requestState":${FIRST_STATE}`,
	),
	wants("43", `"requestState":${SECOND_STATE}`),
	sentAgain("#26", 3, 2),
	refund("44", `,"requestState":${SECOND_STATE}`),
	{ ...result("44"), summary: "text “refunded”" },
];

const MIB = 1024 * 1024;

/** Rows of an array, so many bytes of them. */
function rowsOf(size: number): string {
	const row = (i: number) => `{"id":9007199254740993,"sku":"KX-${i}","rate":1.0,"stock":null}`;
	const rows = Array.from({ length: Math.ceil(size / row(100_000).length) }, (_, i) => row(i));
	return `{"rows":[${rows.join(",")}]}`;
}

/** Values that a careless view overflows or freezes at, by the scenario's name. */
const BIG: Record<string, () => string> = {
	huge: () => rowsOf(8.4 * MIB),
	"big-1": () => rowsOf(MIB),
	"big-10": () => rowsOf(10 * MIB),
	"big-100": () => rowsOf(100 * MIB),
	deep: () => `${'{"a":'.repeat(5000)}${"[".repeat(5000)}1${"]".repeat(5000)}${"}".repeat(5000)}`,
	wide: () => `{${Array.from({ length: 1_000_000 }, (_, i) => `"k${i}":${i}`).join(",")}}`,
};

/** A result with a value of those. */
function big(structured: string): Entry {
	const value = `{"content":[],"structuredContent":${structured}}`;
	return {
		...result("35"),
		after: 900,
		summary: value.slice(0, 400),
		body: `{"jsonrpc":"2.0","id":35,"result":${value}}`,
	};
}

/** Secrets where they enter a log. */
const SECRETS: Entry[] = [
	{
		...request("36", "crm.sync"),
		summary: 'crm.sync {"region":"eu","token":"••••9f31"}',
		body: '{"jsonrpc":"2.0","id":36,"method":"tools/call","params":{"name":"crm.sync","arguments":{"region":"eu","token":"t-5b0c6e2a9f31","password":"hunter2 hunter2","retries":3}}}',
	},
	stderr(4, "DEBUG crm: POST /oauth/token with sk-Zm9vYmFyYmF6cXV4 as ada@orders.example"),
	{
		...result("36"),
		summary: "text “synced”",
		body: '{"jsonrpc":"2.0","id":36,"result":{"content":[{"type":"text","text":"synced"}],"structuredContent":{"access_token":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl","expires_in":3600,"owner":"ada@orders.example"}}}',
	},
];

/** Milliseconds between two notifications of the busy server. */
const PACE = 20;

/** Notifications of the flood in all, and of one step of it. */
const FLOOD = 200_000;
const FLOOD_STEP = 1000;

/** Messages of every level. */
const LOGS: Entry[] = [
	["debug", "db", '"select 1"'],
	["info", "http", '"GET /orders → 200"'],
	["notice", "jobs", '{"job":"reindex","rows":4096}'],
	["warning", "db", '"slow query, 312 ms"'],
	["error", "http", '"GET /stock → 502"'],
	["critical", "jobs", '["queue","is","full"]'],
	["alert", "db", '"disk at 97 %"'],
	["emergency", "", '"going down <b>now</b> \u202e"'],
	["loud", "db", '"not a level"'],
].map(([level, logger, data]) => {
	const params = `{"level":"${level}"${logger === "" ? "" : `,"logger":"${logger}"`},"data":${data}}`;
	return {
		after: 30,
		kind: "notification",
		dir: "s2c",
		method: "notifications/message",
		summary: `${level} ${logger}: ${data}`,
		body: `{"jsonrpc":"2.0","method":"notifications/message","params":${params}}`,
	};
});

const SCENARIOS: Record<string, (stage: Stage) => void> = {
	hostile: ({ host, live }) => play(host, live, HOSTILE),
	marks: ({ host, live }) => {
		play(host, live, MARKS);
		const log = host.log(live);
		for (let i = 0; i < log.size; i += 1) {
			const row = log.row(i);
			if (row.id === "33") host.change(live, row.seq, { verdict: "cancelled" });
			if (row.id === "34") host.change(live, row.seq, { verdict: "timeout" });
		}
	},
	rounds: ({ host, live }) => play(host, live, ROUNDS),
	...Object.fromEntries(
		Object.entries(BIG).map(([name, value]): [string, (stage: Stage) => void] => [
			name,
			({ host, live }) => play(host, live, [request("35", "reports.big"), big(value())]),
		]),
	),
	secrets: ({ host, live }) => play(host, live, SECRETS),
	logs: ({ host, live }) => play(host, live, LOGS),
	/** A server that does not stop telling. */
	busy: ({ host, live }) => {
		let n = 0;
		setInterval(() => {
			n += 1;
			host.append(live, {
				after: PACE,
				kind: "notification",
				dir: "s2c",
				method: "notifications/progress",
				summary: `${n}/9 000 rows · token 23`,
				body: `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":23,"progress":${n},"total":9000}}`,
			});
		}, PACE);
	},
	/** 200 000 notifications at full speed. */
	flood: ({ host, live }) => {
		const entry = (i: number): Entry => ({
			after: 0,
			kind: "notification",
			dir: "s2c",
			method: "notifications/progress",
			summary: `${i} · token 23`,
			body: `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":23,"progress":${i}}}`,
		});
		let n = 0;
		const timer = setInterval(() => {
			const from = n;
			n += FLOOD_STEP;
			host.flood(
				live,
				Array.from({ length: FLOOD_STEP }, (_, i) => entry(from + i)),
			);
			if (n >= FLOOD) clearInterval(timer);
		}, PACE);
	},
	"not-recording": ({ host, live, abandon }) => {
		abandon(live);
		host.patch(live, { pid: null, conn: { state: "not-recording", since: 20, why: "disk full" } });
	},
	connecting: ({ host, live, abandon }) => {
		abandon(live);
		host.patch(live, { conn: { state: "connecting", step: "waiting for the answer to server/discover" } });
	},
	/** A connection that the server ended. */
	lost: ({ host, live, abandon }) => {
		abandon(live);
		const target = "https://mcp.orders.example/mcp";
		const at_us = Date.now() * 1000;
		host.patch(live, {
			transport: "http",
			target,
			pid: null,
			ended_us: at_us,
			conn: { state: "closed", outcome: "lost", crashed: true, at_us },
			exit: {
				seq: 19,
				title: "The server closed the connection",
				detail: "It was open 4 min 12 s.",
				crashed: true,
				stderr: [],
				stderr_total: 0,
				unanswered: [{ seq: 14, id: "23", what: "tools/call reports.run", waited_us: 12_400_000 }],
				executable: null,
				argv: [],
				cwd: null,
				path: null,
				path_source: null,
			},
		});
	},
	/** Names as long as people and generators make them. */
	long: ({ host, live }) => {
		const name = "customer-relationship-management-and-order-fulfilment-staging-eu-central-1 (read only)";
		host.servers = host.servers.map((row) => (row.session?.id === live ? { ...row, name } : row));
		host.patch(live, {
			server_name: name,
			name: "Why the refund of SO-1042 is asked for twice when the first answer comes after the time-out",
			tags: ["regression", "release-2026.12-candidate-3", "customer-escalation"],
		});
	},
	"needs-secret": ({ host, live, abandon }) => {
		abandon(live);
		const message =
			"the secret DATABASE_TOKEN is in secrets.age, which is locked: unlock it in Settings, then connect again";
		host.patch(live, {
			ended_us: Date.now() * 1000,
			conn: { state: "failed", code: "invalid_config", message, status: null },
		});
	},
	"connect-failed": ({ host, live, abandon }) => {
		abandon(live);
		const message = "The server did not start: /usr/bin/uv is not there. Install uv, or change the command.";
		host.patch(live, {
			ended_us: Date.now() * 1000,
			conn: { state: "failed", code: "spawn_failed", message, status: null },
		});
	},
};

/** Plays the scenario of this name, if there is one. */
export function stage(
	host: Host,
	live: string,
	name: string | null,
	abandon: (session: string) => void,
): void {
	SCENARIOS[name ?? ""]?.({ host, live, abandon });
}

function play(host: Host, session: string, entries: readonly Entry[]): void {
	for (const entry of entries) host.append(session, entry);
}
