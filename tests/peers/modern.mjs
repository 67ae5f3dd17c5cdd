// A small server on the TypeScript SDK, over stdio or HTTP and in both eras: questions in rounds, progress, log messages, changes.

import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { completable, createMcpHandler, inputRequired, inputResponse, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const COUNT = "peer://count";
const text = (text) => ({ content: [{ type: "text", text }] });
const table = z.object({ number: z.number().int().min(1).max(9).default(4) });

/** `changed` tells whoever listens that the resource changed. */
function peer(changed) {
	const server = new McpServer(
		{ name: "typescript-peer", version: "1.0.0" },
		{ instructions: "Asks, works, tells.", capabilities: { logging: {}, resources: { subscribe: true } } },
	);

	server.registerTool("add", { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => text(`${a + b}`));

	// Three rounds: a form and the roots together, then a model, the state holding what was answered before.
	server.registerTool("ask", { description: "Asks the user, the client and its model" }, (ctx) => {
		const { inputResponses: given, requestState } = ctx.mcpReq;
		const model = inputResponse(given, "model");
		if (model.kind === "sampling") {
			const content = [model.result.content].flat();
			return text(`${requestState()}: ${content[0].text}`);
		}
		const form = inputResponse(given, "table");
		const roots = inputResponse(given, "roots");
		if (form.kind === "elicit" && form.action !== "accept") return text(`${form.action}d`);
		if (form.kind === "elicit" && roots.kind === "roots") {
			const messages = [{ role: "user", content: { type: "text", text: "Which wine?" } }];
			return inputRequired({
				inputRequests: { model: inputRequired.createMessage({ messages, maxTokens: 20 }) },
				requestState: `table ${form.content.number}, ${roots.roots.length} roots`,
			});
		}
		return inputRequired({
			inputRequests: {
				table: inputRequired.elicit({ message: "Which table?", requestedSchema: table }),
				roots: inputRequired.listRoots(),
			},
		});
	});

	server.registerTool("work", { inputSchema: z.object({ steps: z.number().int() }) }, async ({ steps }, ctx) => {
		const progressToken = ctx.mcpReq._meta?.progressToken;
		for (let step = 1; step <= steps; step++) {
			if (progressToken !== undefined) {
				const params = { progressToken, progress: step, total: steps, message: `step ${step}` };
				await ctx.mcpReq.notify({ method: "notifications/progress", params });
			}
			await ctx.mcpReq.log("warning", { step }, "work");
		}
		return text(`${steps} steps done`);
	});

	server.registerTool("touch", { description: "Tells whoever listens that a resource changed" }, async () => {
		await changed(server);
		return text("told");
	});

	server.registerResource("count", COUNT, { description: "A resource to listen to" }, (uri) => ({
		contents: [{ uri: uri.href, text: "1" }],
	}));

	const city = completable(z.string(), (start) => ["Lagos", "Lisbon", "Oslo"].filter((one) => one.startsWith(start)));
	server.registerPrompt("visit", { argsSchema: z.object({ city }) }, ({ city }) => ({
		messages: [{ role: "user", content: { type: "text", text: `Plan a day in ${city}.` } }],
	}));
	return server;
}

const [transport, port] = process.argv.slice(2);
if (transport === "http") {
	const handler = createMcpHandler(() => peer(async () => handler.notify.resourceUpdated(COUNT)));
	createServer(toNodeHandler(handler)).listen(Number(port), "127.0.0.1");
} else {
	serveStdio(() => peer((server) => server.server.sendResourceUpdated({ uri: COUNT })));
}
