/** What servers may declare, what it means, and what the log has seen of it. */
import type { Backend } from "../ipc/backend";
import type { RecordRow } from "../ipc/bindings/RecordRow";
import { at, type Json } from "./json/tree";

/** A capability of a server. */
export interface Capability {
	path: readonly string[];
	/** What it is good for, in one sentence. */
	means: string;
	/** Where the specification tells of it. */
	spec: string;
	/** Methods that belong to it, as the filter language takes them: requests and notifications. */
	methods: string;
	/** Revisions in which it is, where not in all. */
	since?: string;
}

const TOOLS = "server/tools › Capabilities";
const RESOURCES = "server/resources › Capabilities";
const PROMPTS = "server/prompts › Capabilities";
const TASKS = "basic/utilities/tasks";

/** In the order of the specification. */
export const CAPABILITIES: readonly Capability[] = [
	{ path: ["tools"], means: "Functions for a model to call.", spec: TOOLS, methods: "tools/list,tools/call" },
	{
		path: ["tools", "listChanged"],
		means: "Tells when its tools change.",
		spec: TOOLS,
		methods: "notifications/tools/list_changed",
	},
	{
		path: ["resources"],
		means: "Data to be read by URI.",
		spec: RESOURCES,
		methods: "resources/list,resources/read,resources/templates/list",
	},
	{
		path: ["resources", "subscribe"],
		means: "Tells when a resource changes to whoever asked for that.",
		spec: RESOURCES,
		methods: "resources/subscribe,notifications/resources/updated",
	},
	{
		path: ["resources", "listChanged"],
		means: "Tells when its resources change.",
		spec: RESOURCES,
		methods: "notifications/resources/list_changed",
	},
	{
		path: ["prompts"],
		means: "Messages for a user to begin with.",
		spec: PROMPTS,
		methods: "prompts/list,prompts/get",
	},
	{
		path: ["prompts", "listChanged"],
		means: "Tells when its prompts change.",
		spec: PROMPTS,
		methods: "notifications/prompts/list_changed",
	},
	{
		path: ["completions"],
		means: "Offers values for arguments as they are typed.",
		spec: "server/utilities/completion › Capabilities",
		methods: "completion/complete",
		since: "declared since 2025-03-26",
	},
	{
		path: ["logging"],
		means: "Sends log messages from a level on that the client sets.",
		spec: "server/utilities/logging › Capabilities",
		methods: "logging/setLevel,notifications/message",
		since: "deprecated in 2026-07-28",
	},
	{
		path: ["tasks"],
		means: "Lets requests run on as tasks that are polled.",
		spec: TASKS,
		methods: "tasks/*",
		since: "2025-11-25 alone; later an extension",
	},
	{
		path: ["experimental"],
		means: "Features outside of the specification, by name.",
		spec: "schema › ServerCapabilities",
		methods: "",
	},
	{
		path: ["extensions"],
		means: "Extensions that the server supports, with their settings.",
		spec: "basic/versioning › Extension Negotiation",
		methods: "",
		since: "2026-07-28",
	},
];

/** Extensions that are known by name. */
export const EXTENSIONS: Readonly<Record<string, string>> = {
	"io.modelcontextprotocol/ui": "MCP Apps: tools with a user interface.",
	"io.modelcontextprotocol/tasks": "Requests that run on as tasks.",
	"io.modelcontextprotocol/skills": "Skills: instructions with files, read by URI.",
	"io.modelcontextprotocol/oauth-client-credentials": "Sign-in of a client without a user.",
	"io.modelcontextprotocol/enterprise-managed-authorization": "Sign-in that an enterprise manages.",
};

/** What the log has seen of a capability. */
export interface Observed {
	/** Answers and notifications. */
	seen: number;
	/** JSON-RPC errors. */
	refused: number;
	/** Code of the newest of them. */
	code: number | null;
}

const NOT_FOUND = -32601;

/** Looks through the log of a session, by capability. Those without methods cannot be observed. */
export async function observe(backend: Backend, session: string): Promise<Map<string, Observed>> {
	const out = new Map<string, Observed>();
	for (const { path, methods } of CAPABILITIES) {
		if (methods === "") continue;
		const [seen] = await look(backend, session, `kind:result,notification method:${methods}`);
		const [refused, newest] = await look(backend, session, `kind:error method:${methods}`);
		out.set(path.join("."), { seen, refused, code: newest?.code ?? null });
	}
	return out;
}

/** How many rows a filter finds, and the newest of them. */
async function look(
	backend: Backend,
	session: string,
	filter: string,
): Promise<[total: number, newest: RecordRow | null]> {
	const { view, total } = await backend.call("open_view", { session, filter });
	try {
		const rows = total === 0 ? [] : await backend.call("view_rows", { view, from: total - 1, n: 1 });
		return [total, rows[0] ?? null];
	} finally {
		await backend.call("close_view", { view });
	}
}

/** How a declaration and what was seen agree. */
export interface Finding {
	tone: "ok" | "warning" | "error" | "none";
	text: string;
}

/** Compares what a server declares with what the log has seen of it. */
export function compare(declared: boolean, observed: Observed | null): Finding {
	if (!observed || observed.seen + observed.refused === 0) return { tone: "none", text: "not seen yet" };
	const { seen, refused, code } = observed;
	if (seen > 0) {
		const text = `seen ${seen}×${refused > 0 ? `, refused ${refused}×` : ""}`;
		return declared ? { tone: "ok", text } : { tone: "warning", text: `${text}, not declared` };
	}
	if (code !== NOT_FOUND)
		return { tone: "none", text: `refused ${refused}×${code === null ? "" : `, ${code}`}` };
	return declared
		? { tone: "error", text: `declared, but ${NOT_FOUND} Method not found` }
		: { tone: "ok", text: `${NOT_FOUND}, as declared` };
}

/** Members of the capabilities that the specification does not know. */
export function unknownCapabilities(capabilities: Json | null): { name: string; raw: string }[] {
	const known = new Set(CAPABILITIES.map(({ path }) => path.join(".")));
	return (capabilities?.members ?? []).flatMap(({ key, value }) => {
		if (!known.has(key)) return [{ name: key, raw: value.raw }];
		if (key === "experimental" || key === "extensions" || key === "tasks") return [];
		return value.members
			.filter((member) => !known.has(`${key}.${member.key}`))
			.map((member) => ({ name: `${key}.${member.key}`, raw: member.value.raw }));
	});
}

/** Whether a capability is declared. */
export function isDeclared(capabilities: Json | null, path: readonly string[]): boolean {
	const raw = at(capabilities, ...path)?.raw ?? "null";
	return raw !== "null" && raw !== "false";
}
