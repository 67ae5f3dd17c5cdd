/** The catalogue of servers: typed, pasted, confirmed, with their secrets. */
import type { PastedServer } from "../bindings/PastedServer";
import type { PastedValue } from "../bindings/PastedValue";
import type { ServerDraft } from "../bindings/ServerDraft";
import type { ServerRow } from "../bindings/ServerRow";
import type { TargetDraft } from "../bindings/TargetDraft";
import type { ValueDraft } from "../bindings/ValueDraft";
import type { ValueRow } from "../bindings/ValueRow";
import { type Area, type Host, must } from "./host";

type Names =
	| "list_servers"
	| "save_server"
	| "delete_server"
	| "duplicate_server"
	| "confirm_server"
	| "reveal_secret"
	| "read_mcp_servers"
	| "list_host_files"
	| "read_host_file"
	| "copy_mcp_servers"
	| "split_command_line";

type Part = "env" | "header";

export class Servers {
	/** Values of secrets by server, part and name. */
	private readonly secrets = new Map<string, string>();

	constructor(
		private readonly host: Host,
		private readonly keychain: boolean,
	) {}

	readonly commands: Area<Names> = {
		list_servers: () => this.host.servers,
		save_server: ({ draft }) => this.save(draft),
		delete_server: ({ server }) => {
			this.host.servers = this.host.servers.filter((row) => row.id !== server);
			this.host.emit("servers-changed", null);
			return null;
		},
		duplicate_server: ({ server }) => this.duplicate(server),
		confirm_server: ({ server }) => this.put({ ...this.host.server(server), unconfirmed: false }),
		reveal_secret: ({ server, part, name }) => must(this.secrets.get(`${server}/${part}/${name}`)),
		read_mcp_servers: ({ text }) => readMcpServers(text),
		list_host_files: () => [
			{ host: "Claude Code", path: "/home/ada/.claude.json" },
			{ host: "Cursor", path: "/home/ada/.cursor/mcp.json" },
		],
		read_host_file: ({ host }) => {
			if (host === "Cursor") throw { code: "invalid_config", message: "No server is in this file." };
			const path = host === null ? "/home/ada/src/inventory/.mcp.json" : "/home/ada/.claude.json";
			return { path, servers: readMcpServers(HOST_FILE) };
		},
		copy_mcp_servers: ({ servers }) => {
			const entries = servers.map((id) => this.host.server(id)).map((row) => [row.name, fileEntry(row)]);
			return JSON.stringify({ mcpServers: Object.fromEntries(entries) }, null, 2);
		},
		split_command_line: ({ text }) => split(text),
	};

	save({ id, name, target, ca, ...rest }: ServerDraft): ServerRow {
		const old = this.host.servers.find((other) => other.id === id);
		const server = old?.id ?? `s${this.host.servers.length + 1}`;
		const stdio = target.transport === "stdio";
		const argv = stdio ? split(target.command_line) : [];
		const short = stdio ? (argv[0] ?? "") : hostOf(target.url);
		return this.put({
			id: server,
			name: name || short,
			transport: target.transport,
			target: stdio ? target.command_line : target.url,
			argv,
			env: stdio ? this.keep(server, "env", target.env) : [],
			cwd: stdio && target.cwd !== "" ? target.cwd : null,
			headers: stdio ? [] : this.keep(server, "header", target.headers),
			...rest,
			ca: ca || null,
			demo: old?.demo ?? false,
			session: old?.session ?? null,
		});
	}

	private put(row: ServerRow): ServerRow {
		const known = this.host.servers.some((other) => other.id === row.id);
		this.host.servers = known
			? this.host.servers.map((other) => (other.id === row.id ? row : other))
			: [...this.host.servers, row];
		this.host.emit("servers-changed", null);
		return row;
	}

	private duplicate(server: string): ServerRow {
		const row = this.host.server(server);
		const id = `s${this.host.servers.length + 1}`;
		for (const [key, value] of [...this.secrets]) {
			if (key.startsWith(`${server}/`)) this.secrets.set(key.replace(server, id), value);
		}
		return this.put({ ...row, id, name: `${row.name} copy`, demo: false, session: null });
	}

	private keep(server: string, part: Part, values: ValueDraft[]): ValueRow[] {
		return values
			.filter(({ name, value }) => name !== "" || (value ?? "") !== "")
			.map(({ name, value, secret }) => {
				if (!secret) return { name, value: value ?? "", kept: "catalogue" };
				const key = `${server}/${part}/${name}`;
				if (value !== null) this.secrets.set(key, value);
				const kept = !this.secrets.has(key) ? "missing" : this.keychain ? "keychain" : "memory";
				return { name, value: masked(this.secrets.get(key) ?? ""), kept };
			});
	}
}

/** A server as typed by its command line. */
export function command(name: string, command_line: string, change: Partial<ServerDraft> = {}): ServerDraft {
	const target: TargetDraft = { transport: "stdio", command_line, env: [], cwd: "" };
	return {
		name,
		target,
		era: "auto",
		timeout_ms: 30_000,
		reconnect: false,
		ca: "",
		watch: [],
		total_ms: null,
		start_ms: null,
		grace_ms: null,
		unconfirmed: false,
		...change,
	};
}

function masked(value: string): string {
	if (value === "") return "";
	return value.length < 12 ? "••••" : `••••${value.slice(-4)}`;
}

function hostOf(url: string): string {
	if (!/^https?:\/\/[^/]/i.test(url)) {
		throw { code: "invalid_config", message: "This is no URL: write http:// or https:// and a host." };
	}
	return url.split("/")[2] ?? url;
}

function split(text: string): string[] {
	if ((text.match(/"/g)?.length ?? 0) % 2 === 1)
		throw { code: "invalid_config", message: "A quote is not closed." };
	return (text.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"|"$/g, ""));
}

function quoted(word: string): string {
	return /^[^\s"]+$/.test(word) ? word : `"${word}"`;
}

function fileEntry(row: ServerRow): object {
	const values = (rows: ValueRow[]) =>
		Object.fromEntries(
			rows.map(({ name, value, kept }) => [name, kept === "catalogue" ? value : `\${secret:${name}}`]),
		);
	if (row.transport !== "stdio") {
		return { type: row.transport, url: row.target, headers: values(row.headers) };
	}
	const [first, ...args] = row.argv;
	return { command: first, args, env: values(row.env), ...(row.cwd === null ? {} : { cwd: row.cwd }) };
}

interface Entry {
	command?: string;
	args?: string[];
	url?: string;
	type?: string;
	env?: Record<string, string>;
	headers?: Record<string, string>;
	cwd?: string;
}

/** A stand-in for the host's reader: no comments, no trailing commas. */
const HOST_FILE = JSON.stringify({
	mcpServers: {
		inventory: { command: "uv", args: ["run", "inventory_mcp"], env: { API_KEY: "sk-0123456789" } },
		crm: { url: "https://mcp.crm.internal/mcp" },
	},
});

function readMcpServers(text: string): PastedServer[] {
	let whole: Record<string, unknown>;
	try {
		whole = JSON.parse(text) as Record<string, unknown>;
	} catch (error) {
		throw { code: "invalid_config", message: `This is no JSON: ${(error as Error).message}` };
	}
	const alone = "command" in whole || "url" in whole;
	const servers = alone ? { server: whole } : (whole.mcpServers ?? whole.servers);
	if (typeof servers !== "object" || servers === null) {
		throw { code: "invalid_config", message: "There is no “mcpServers” in this JSON." };
	}
	return Object.entries(servers).map(([name, entry]) => pasted(name, entry as Entry));
}

function pasted(name: string, entry: Entry): PastedServer {
	const argv = entry.command === undefined ? [] : [entry.command, ...(entry.args ?? [])];
	const reach = entry.url === undefined ? (argv.length === 0 ? null : "stdio") : "http";
	return {
		name,
		transport: reach === "http" && entry.type === "sse" ? "sse" : reach,
		command_line: argv.map(quoted).join(" "),
		argv,
		url: entry.url ?? "",
		env: values(entry.env),
		headers: values(entry.headers),
		cwd: entry.cwd ?? "",
		problem: reach === null ? "It has neither “command” nor “url”." : null,
	};
}

function values(of: Record<string, string> = {}): PastedValue[] {
	return Object.entries(of).map(([name, value]) => ({
		name,
		value: String(value),
		secret: /key|token|secret|password|authorization/i.test(name),
	}));
}
