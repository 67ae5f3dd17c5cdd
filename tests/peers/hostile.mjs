// A server on no SDK, over stdio and in the legacy era, whose every text is markup, a link or a control character.

import { createInterface } from "node:readline";

const TEXTS = [
	"<img src=x onerror=\"document.title='pwned'\">",
	"<script>document.title='pwned'</script>",
	"[click](javascript:alert(1))",
	"![p](https://track.example/p.gif)",
	"<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
	"<svg onload=alert(1)><a href=javascript:alert(1)>x</a></svg>",
	"data:text/html;base64,PHNjcmlwdD4=",
	"\u202etxt.exe\u200b \u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007 \u001b[31mred\u001b[0m",
];
const ALL = TEXTS.join("\n\n");
const [IMG, SCRIPT] = TEXTS;
const icons = [{ src: "https://track.example/icon.png", mimeType: "image/png" }, { src: "javascript:alert(1)" }];
const content = [
	{ type: "text", text: ALL },
	{ type: "image", mimeType: "text/html", data: Buffer.from(SCRIPT).toString("base64") },
	{ type: "image", mimeType: "image/svg+xml", data: Buffer.from(TEXTS[5]).toString("base64") },
	{ type: "resource_link", uri: "javascript:alert(1)", name: IMG, description: ALL, icons },
	{ type: "resource", resource: { uri: "x://html", mimeType: "text/html", text: ALL } },
	{ type: "resource", resource: { uri: "x://md", mimeType: "text/markdown", text: ALL } },
	{ type: SCRIPT, x: ALL },
];
const about = { title: IMG, description: ALL, icons };
const requestedSchema = { type: "object", properties: { q: { type: "string", title: IMG, description: ALL } } };
const properties = {
	q: { type: "string", title: IMG, description: ALL, examples: [SCRIPT] },
	e: { title: SCRIPT, oneOf: [{ const: IMG, title: SCRIPT, description: ALL }] },
};

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const ask = (id, method, params) => send({ id, method, params });

const ANSWERS = {
	initialize: () => ({
		protocolVersion: "2025-11-25",
		serverInfo: { name: IMG, version: SCRIPT, websiteUrl: "javascript:alert(1)", ...about },
		instructions: ALL,
		capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, completions: {}, [IMG]: { x: ALL } },
	}),
	"tools/list": () => ({
		tools: [
			{ name: "show", inputSchema: { type: "object", properties }, annotations: { title: SCRIPT }, ...about },
			{ name: "fail", inputSchema: { type: "object" }, ...about },
			{ name: "ask", inputSchema: { type: "object" }, ...about },
			{ name: IMG, inputSchema: { type: "object" }, ...about },
		],
	}),
	"tools/call": ({ name }) => {
		send({ method: "notifications/message", params: { level: "error", logger: IMG, data: ALL } });
		process.stderr.write(`${ALL}\n`);
		if (name === "fail") return undefined;
		if (name === "ask") {
			ask("form", "elicitation/create", { message: ALL, requestedSchema });
			ask("url", "elicitation/create", { mode: "url", message: ALL, url: "javascript:alert(1)", elicitationId: "1" });
			ask("model", "sampling/createMessage", {
				messages: [{ role: "user", content: content[0] }],
				systemPrompt: ALL,
				maxTokens: 1,
			});
		}
		return { content, structuredContent: { [IMG]: ALL } };
	},
	"prompts/list": () => ({ prompts: [{ name: "say", arguments: [{ name: "q", ...about }], ...about }] }),
	"prompts/get": () => ({ description: ALL, messages: content.map((one) => ({ role: "user", content: one })) }),
	"completion/complete": () => ({ completion: { values: TEXTS } }),
	"resources/list": () => ({
		resources: [
			{ uri: "x://md", name: IMG, mimeType: "text/markdown", ...about },
			{ uri: "x://html", name: SCRIPT, mimeType: "text/html", ...about },
			{ uri: "x://svg", name: SCRIPT, mimeType: "image/svg+xml", ...about },
		],
	}),
	"resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: "x://{q}", name: IMG, ...about }] }),
	"resources/read": ({ uri }) => {
		const mimeType = { "x://md": "text/markdown", "x://svg": "image/svg+xml" }[uri] ?? "text/html";
		return { contents: [{ uri, mimeType, text: uri === "x://svg" ? TEXTS[5] : ALL }] };
	},
	ping: () => ({}),
};

createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params = {} } = JSON.parse(line);
	if (id === undefined || method === undefined) return;
	const result = ANSWERS[method]?.(params);
	send(result ? { id, result } : { id, error: { code: -32000, message: ALL, data: { [IMG]: ALL } } });
});
