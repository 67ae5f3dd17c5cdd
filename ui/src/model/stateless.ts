/** Whether a modern server keeps nothing between requests: each request over the open connection, and alone over a fresh one. */
import type { Backend } from "../ipc/backend";
import type { StatelessRow } from "../ipc/bindings/StatelessRow";
import type { ToolRow } from "../ipc/bindings/ToolRow";
import { words } from "./errors";
import { at, readJson } from "./json/tree";
import { Observable } from "./observable";
import { declares, type ServerInfo } from "./serverInfo";

/** A request that is to be compared. */
export interface Probe {
	method: string;
	params: string | null;
}

/** A check as far as it has come. */
export interface StatelessCheck {
	/** Requests in all. */
	of: number;
	rows: readonly StatelessRow[];
	running: boolean;
	/** Why it went no further, where it did not come to its end. */
	failure: string | null;
}

export class StatelessStore extends Observable {
	private readonly checks = new Map<string, StatelessCheck>();

	constructor(private readonly backend: Backend) {
		super();
	}

	/** The newest check of a session. */
	of(session: string): StatelessCheck | null {
		return this.checks.get(session) ?? null;
	}

	/** Compares one request after the other. */
	async run(session: string, probes: readonly Probe[]): Promise<void> {
		const check: StatelessCheck = { of: probes.length, rows: [], running: true, failure: null };
		this.put(session, check);
		for (const probe of probes) {
			const drafts = [{ ...probe, timeout_ms: null, headers: [] }];
			try {
				const rows = await this.backend.call("check_stateless", { session, drafts });
				const now = this.of(session) ?? check;
				this.put(session, { ...now, rows: [...now.rows, ...rows] });
				if (!now.running) return;
			} catch (error) {
				const rows = this.of(session)?.rows ?? [];
				this.put(session, { ...check, rows, failure: words(error), running: false });
				return;
			}
		}
		this.put(session, { ...(this.of(session) ?? check), running: false });
	}

	/** Ends it behind the request that is on its way. */
	stop(session: string): void {
		const check = this.of(session);
		if (check?.running) this.put(session, { ...check, running: false, failure: "it was stopped" });
	}

	private put(session: string, check: StatelessCheck): void {
		this.checks.set(session, check);
		this.changed();
	}
}

/** The lists that a server declares. */
export function listProbes(info: ServerInfo | null): Probe[] {
	const lists = [
		["tools", "tools/list"],
		["prompts", "prompts/list"],
		["resources", "resources/list"],
		["resources", "resources/templates/list"],
	] as const;
	const declared = lists.filter(([capability]) => declares(info, capability) === true);
	return [
		{ method: "server/discover", params: null },
		...declared.map(([, method]) => ({ method, params: null })),
	];
}

/** Calls of the tools that are written to be read-only and that need no argument. */
export function toolProbes(tools: readonly ToolRow[]): Probe[] {
	const harmless = tools.filter(
		({ read_only, input_schema, problem }) =>
			read_only === true && problem === null && needsNothing(input_schema ?? "{}"),
	);
	return harmless.map(({ name, raw }) => ({
		method: "tools/call",
		params: `{"name":${at(readJson(raw), "name")?.raw ?? JSON.stringify(name)},"arguments":{}}`,
	}));
}

function needsNothing(schema: string): boolean {
	return (at(readJson(schema), "required")?.items.length ?? 0) === 0;
}
