/** How servers introduced themselves: the answer to `initialize` or `server/discover`, taken apart. */
import type { Backend } from "../ipc/backend";
import type { ServerInfoRow } from "../ipc/bindings/ServerInfoRow";
import { at, type Json, readJson, text } from "./json/tree";
import { Observable } from "./observable";

/** What a server says of itself. */
export interface ServerInfo {
	/** The method that it answered. */
	method: string;
	/** Records of the request and of the answer. */
	request: number;
	answer: number;
	/** Its `Implementation` object, wherever it stands; null where it gave none. */
	implementation: Json | null;
	name: string | null;
	version: string | null;
	title: string | null;
	instructions: string | null;
	capabilities: Json | null;
	/** `supportedVersions`, or the one that `initialize` negotiated. */
	versions: readonly string[];
	/** Cache hints; only of `server/discover`. */
	ttlMs: string | null;
	cacheScope: string | null;
	/** The whole answer as received. */
	message: string;
}

const NAME = "io.modelcontextprotocol/serverInfo";

/** Takes the answer apart. Of `server/discover` the name stands in `_meta`; pre-release servers put it beside. */
export function readServerInfo(row: ServerInfoRow): ServerInfo {
	const result = at(readJson(row.message), "result");
	const implementation = at(result, "_meta", NAME) ?? at(result, "serverInfo");
	const negotiated = text(at(result, "protocolVersion"));
	const listed = at(result, "supportedVersions")?.items.map((item) => text(item) ?? item.raw) ?? [];
	return {
		method: row.method,
		request: row.request,
		answer: row.answer,
		implementation,
		name: text(at(implementation, "name")),
		version: text(at(implementation, "version")),
		title: text(at(implementation, "title")),
		instructions: text(at(result, "instructions")),
		capabilities: at(result, "capabilities"),
		versions: negotiated === null ? listed : [negotiated],
		ttlMs: at(result, "ttlMs")?.raw ?? null,
		cacheScope: text(at(result, "cacheScope")),
		message: row.message,
	};
}

/** Whether a server declares a capability; null while it is not known what it declares. */
export function declares(info: ServerInfo | null, ...path: string[]): boolean | null {
	if (!info) return null;
	const value = at(info.capabilities, ...path);
	return value !== null && value.raw !== "false" && value.raw !== "null";
}

export class ServerInfos extends Observable {
	private readonly known = new Map<string, ServerInfo>();

	constructor(private readonly backend: Backend) {
		super();
	}

	/** What is known of the server of a session. */
	of(session: string): ServerInfo | null {
		return this.known.get(session) ?? null;
	}

	/** Reads it from the log. */
	async read(session: string): Promise<void> {
		// A session without a handshake has none.
		const row = await this.backend.call("get_server_info", { session }).catch(() => null);
		if (!row || this.known.get(session)?.answer === row.answer) return;
		this.known.set(session, readServerInfo(row));
		this.changed();
	}
}
