/** Frames to begin a raw frame with. What varies is in them as an example, not as a blank. */

/** A way to begin. */
export interface Template {
	name: string;
	/** What it is for, in a few words. */
	about: string;
	frame: (id: string) => string;
}

const request = (method: string, params: string | null) => (id: string) =>
	`{"jsonrpc":"2.0","id":${id},"method":"${method}"${params === null ? "" : `,"params":${params}`}}`;

const notification = (method: string, params: string) => () =>
	`{"jsonrpc":"2.0","method":"${method}","params":${params}}`;

const INITIALIZE =
	'{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"framescope","version":"0"}}';
const META =
	'{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"framescope","version":"0"},"io.modelcontextprotocol/clientCapabilities":{}}}';

export const TEMPLATES: readonly Template[] = [
	{ name: "ping", about: "legacy era", frame: request("ping", null) },
	{ name: "tools/list", about: "the first page", frame: request("tools/list", "{}") },
	{ name: "tools/call", about: "a tool by name", frame: request("tools/call", '{"name":"","arguments":{}}') },
	{ name: "resources/list", about: "the first page", frame: request("resources/list", "{}") },
	{ name: "resources/read", about: "a resource by URI", frame: request("resources/read", '{"uri":""}') },
	{
		name: "resources/templates/list",
		about: "the first page",
		frame: request("resources/templates/list", "{}"),
	},
	{ name: "prompts/list", about: "the first page", frame: request("prompts/list", "{}") },
	{
		name: "prompts/get",
		about: "a prompt by name",
		frame: request("prompts/get", '{"name":"","arguments":{}}'),
	},
	{
		name: "completion/complete",
		about: "an argument of a prompt",
		frame: request(
			"completion/complete",
			'{"ref":{"type":"ref/prompt","name":""},"argument":{"name":"","value":""}}',
		),
	},
	{ name: "logging/setLevel", about: "legacy era", frame: request("logging/setLevel", '{"level":"debug"}') },
	{ name: "initialize", about: "legacy era, once more", frame: request("initialize", INITIALIZE) },
	{ name: "server/discover", about: "modern era", frame: request("server/discover", META) },
	{
		name: "notifications/cancelled",
		about: "of a request by its id",
		frame: notification("notifications/cancelled", '{"requestId":1,"reason":"by hand"}'),
	},
	{
		name: "notifications/roots/list_changed",
		about: "legacy era",
		frame: notification("notifications/roots/list_changed", "{}"),
	},
	{ name: "unknown method", about: "wrong on purpose", frame: request("no/such/method", "{}") },
	{ name: "batch", about: "wrong since 2025-06-18", frame: (id) => `[${request("ping", null)(id)}]` },
	{ name: "cut off", about: "wrong on purpose", frame: (id) => `{"jsonrpc":"2.0","id":${id},"method":"pi` },
];
