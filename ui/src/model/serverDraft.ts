/** A server as it is typed into its panel. */
import type { ServerDraft } from "../ipc/bindings/ServerDraft";
import type { ServerRow } from "../ipc/bindings/ServerRow";
import type { TransportName } from "../ipc/bindings/TransportName";

/** How a server can be reached that is typed here. */
export type Reach = Exclude<TransportName, "sse">;

/** What stands in the panel's fields. */
export interface Typed {
	name: string;
	reach: Reach;
	/** Command line; kept while a URL is typed, and the other way round. */
	line: string;
	url: string;
	headers: [string, string][];
}

/** The fields for a new server, or for one that is there. */
export function typedOf(server: ServerRow | null): Typed {
	const reach = server === null || server.transport === "stdio" ? "stdio" : "http";
	const target = server?.target ?? "";
	return {
		name: server?.name ?? "",
		reach,
		line: reach === "stdio" ? target : "",
		url: reach === "http" ? target : "",
		headers: server?.headers.map(({ name, value }): [string, string] => [name, value]) ?? [],
	};
}

/** Takes in what was typed as command line or URL. A URL is no command: it chooses Streamable HTTP. */
export function retarget(typed: Typed, text: string): Typed {
	if (typed.reach === "http") return { ...typed, url: text };
	return /^\s*https?:\/\//i.test(text) ? { ...typed, reach: "http", url: text } : { ...typed, line: text };
}

/** What stands in the field for the command line or URL. */
export function targetOf(typed: Typed): string {
	return typed.reach === "http" ? typed.url : typed.line;
}

/** What is saved. */
export function draftOf(typed: Typed, server: ServerRow | null): ServerDraft {
	const { reach, url, headers, line } = typed;
	return {
		...(server ? { id: server.id } : {}),
		name: typed.name.trim(),
		target:
			reach === "http"
				? {
						transport: "http",
						url,
						headers: headers.map(([name, value]) => ({ name, value, secret: false })),
					}
				: { transport: "stdio", command_line: line, env: [], cwd: server?.cwd ?? "" },
		era: server?.era ?? "auto",
		timeout_ms: server?.timeout_ms ?? 30_000,
		unconfirmed: false,
	};
}
