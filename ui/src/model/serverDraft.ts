/** Servers as they are typed into their page, kept while the window is open, whatever is looked at. */
import type { Kept } from "../ipc/bindings/Kept";
import type { PastedServer } from "../ipc/bindings/PastedServer";
import type { PastedValue } from "../ipc/bindings/PastedValue";
import type { ServerDraft } from "../ipc/bindings/ServerDraft";
import type { ServerRow } from "../ipc/bindings/ServerRow";
import type { TransportName } from "../ipc/bindings/TransportName";
import type { ValueDraft } from "../ipc/bindings/ValueDraft";
import type { ValueRow } from "../ipc/bindings/ValueRow";
import { lastingMs, milliseconds } from "./format";
import { Observable } from "./observable";

/** A variable or header as it stands in its row. */
export interface TypedValue {
	name: string;
	/** Null where the stored secret stays as it is. */
	value: string | null;
	secret: boolean;
	/** Where the stored value is; null for a new row. */
	kept: Kept | null;
	/** Name under which the secret is stored: under another one there is none to keep. */
	stored: string | null;
	/** The stored secret for the eye: `••••` and its end. */
	mask: string;
}

/** What stands in the page's fields. */
export interface Typed {
	name: string;
	reach: TransportName;
	/** Command line; kept while a URL is typed, and the other way round. */
	line: string;
	cwd: string;
	env: TypedValue[];
	url: string;
	headers: TypedValue[];
	/** `auto`, `legacy`, `modern` or a revision. */
	era: string;
	/** Time-out as typed: `30 s`. */
	timeout: string;
	/** Connect again where the server ends the connection. */
	reconnect: boolean;
	/** File of certificates that are trusted besides the machine's own; over HTTP only. */
	ca: string;
	/** Paths whose changes restart it, one a line. */
	watch: string;
	/** Waits as typed, empty for the app's own: altogether, at its start, at its end. */
	total: string;
	start: string;
	grace: string;
}

/** A wait that has a default. */
export type Wait = "total" | "start" | "grace";

/** What a server's form starts with where nothing else is said, milliseconds. */
export const TIMEOUT_MS = 30_000;

/** The longest time-out: a day, milliseconds. */
const LONGEST_MS = 86_400_000;

/** What can be typed for a wait, milliseconds, and in words. */
export const WAITS: Record<Wait, { least: number; most: number; words: string }> = {
	total: { least: 1, most: LONGEST_MS, words: "from the time-out to 24 h" },
	start: { least: 1000, most: 600_000, words: "from 1 s to 10 min" },
	grace: { least: 0, most: 60_000, words: "from 0 s to 60 s" },
};

export const EMPTY_VALUE: TypedValue = {
	name: "",
	value: "",
	secret: false,
	kept: null,
	stored: null,
	mask: "",
};

/** The fields for a new server, or for one that is there. */
export function typedOf(server: ServerRow | null): Typed {
	const reach = server?.transport ?? "stdio";
	const target = server?.target ?? "";
	return {
		name: server?.name ?? "",
		reach,
		line: reach === "stdio" ? target : "",
		cwd: server?.cwd ?? "",
		env: server?.env.map(rowOf) ?? [],
		url: reach === "stdio" ? "" : target,
		headers: server?.headers.map(rowOf) ?? [],
		era: server?.era ?? "auto",
		timeout: lastingMs(server?.timeout_ms ?? TIMEOUT_MS),
		reconnect: server?.reconnect ?? false,
		ca: server?.ca ?? "",
		watch: (server?.watch ?? []).join("\n"),
		total: waitText(server?.total_ms ?? null),
		start: waitText(server?.start_ms ?? null),
		grace: waitText(server?.grace_ms ?? null),
	};
}

function waitText(ms: number | null): string {
	return ms === null ? "" : lastingMs(ms);
}

function rowOf({ name, value, kept }: ValueRow): TypedValue {
	if (kept === "catalogue") return { ...EMPTY_VALUE, name, value, kept };
	return { name, value: null, secret: true, kept, stored: name, mask: value };
}

/** Takes in what was typed as command line or URL. A URL is no command: it chooses Streamable HTTP. */
export function retarget(typed: Typed, text: string): Typed {
	if (typed.reach !== "stdio") return { ...typed, url: text };
	return /^\s*https?:\/\//i.test(text) ? { ...typed, reach: "http", url: text } : { ...typed, line: text };
}

/** What stands in the field for the command line or URL. */
export function targetOf(typed: Typed): string {
	return typed.reach === "stdio" ? typed.line : typed.url;
}

/** The time-out in milliseconds, or null where what is typed is none. */
export function timeoutOf(typed: Typed): number | null {
	const ms = milliseconds(typed.timeout);
	return ms !== null && ms >= 1 && ms <= LONGEST_MS ? ms : null;
}

/** A wait in milliseconds, null where none is typed, undefined where what is typed is none. */
export function waitOf(typed: Typed, wait: Wait): number | null | undefined {
	if (typed[wait].trim() === "") return null;
	const ms = milliseconds(typed[wait]);
	const { least, most } = WAITS[wait];
	const lowest = wait === "total" ? (timeoutOf(typed) ?? least) : least;
	return ms !== null && ms >= lowest && ms <= most ? ms : undefined;
}

/** Whether all waits that are used are times. */
export function waitsAreRight(typed: Typed): boolean {
	const used: readonly Wait[] = typed.reach === "stdio" ? ["total", "start", "grace"] : ["total"];
	return timeoutOf(typed) !== null && used.every((wait) => waitOf(typed, wait) !== undefined);
}

/** Whether it differs from the fields that a page starts with. */
export function isDirty(typed: Typed, server: ServerRow | null): boolean {
	return JSON.stringify(typed) !== JSON.stringify(typedOf(server));
}

/** What is saved. */
export function draftOf(typed: Typed, server: ServerRow | null): ServerDraft {
	const { reach, url, line, cwd } = typed;
	return {
		...(server ? { id: server.id } : {}),
		name: typed.name.trim(),
		target:
			reach === "stdio"
				? { transport: reach, command_line: line, env: typed.env.map(valueDraft), cwd: cwd.trim() }
				: { transport: reach, url, headers: typed.headers.map(valueDraft) },
		era: typed.era,
		timeout_ms: timeoutOf(typed) ?? TIMEOUT_MS,
		reconnect: typed.reconnect,
		ca: reach === "stdio" ? "" : typed.ca.trim(),
		watch: typed.watch.split("\n").filter((path) => path.trim() !== ""),
		total_ms: waitOf(typed, "total") ?? null,
		start_ms: reach === "stdio" ? (waitOf(typed, "start") ?? null) : null,
		grace_ms: reach === "stdio" ? (waitOf(typed, "grace") ?? null) : null,
		unconfirmed: server?.unconfirmed ?? false,
	};
}

function valueDraft({ name, value, secret, stored }: TypedValue): ValueDraft {
	const keeps = value === null && secret && stored === name.trim();
	return { name: name.trim(), value: keeps ? null : (value ?? ""), secret };
}

/** What is saved of a server found in pasted JSON; its first start asks. */
export function draftOfPasted(pasted: PastedServer): ServerDraft {
	const { name, transport, command_line, url, cwd } = pasted;
	const values = (of: PastedValue[]) => of.map((value): ValueDraft => ({ ...value }));
	return {
		name,
		target:
			transport === "stdio" || transport === null
				? { transport: "stdio", command_line, env: values(pasted.env), cwd }
				: { transport, url, headers: values(pasted.headers) },
		era: "auto",
		timeout_ms: TIMEOUT_MS,
		reconnect: false,
		ca: "",
		watch: [],
		total_ms: null,
		start_ms: null,
		grace_ms: null,
		unconfirmed: true,
	};
}

/** Whether a variable or header of that name commonly holds a secret. */
export function soundsSecret(name: string): boolean {
	return /token|secret|passw|pwd|api[-_]?key|access[-_]?key|private|credential|^(proxy-)?authorization$|^cookie$/i.test(
		name,
	);
}

/** Rows of pasted text such as `NAME=value` or `name: value`, one a line; null where it is not such text. */
export function readValues(text: string): TypedValue[] | null {
	const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.trim().startsWith("#"));
	const rows = lines.map((line) => /^\s*(?:export\s+)?([\w-]+)\s*(?:=|:\s)\s*(.*?)\s*$/.exec(line));
	if (rows.length === 0 || !rows.every((row) => row !== null)) return null;
	return rows.map(([, name = "", value = ""]) => ({
		...EMPTY_VALUE,
		name,
		value: /^(["'])(.*)\1$/.exec(value)?.[2] ?? value,
		secret: soundsSecret(name),
	}));
}

/** What is typed, by server; `new` for one that is not there yet. */
export class ServerForms extends Observable {
	private readonly forms = new Map<string, Typed>();
	/** Text of the pane for pasted JSON. */
	pasted = "";

	of(server: ServerRow | null): Typed {
		return this.forms.get(server?.id ?? "new") ?? typedOf(server);
	}

	set(server: ServerRow | null, typed: Typed): void {
		this.forms.set(server?.id ?? "new", typed);
		this.changed();
	}

	drop(server: string | null): void {
		this.forms.delete(server ?? "new");
		this.changed();
	}

	paste(text: string): void {
		this.pasted = text;
		this.changed();
	}
}
