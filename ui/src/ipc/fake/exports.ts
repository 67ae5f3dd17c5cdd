/** Exports and imports: what rules would make unreadable, and files that need a passphrase. */
import type { RedactionSample, RedactRules, RuleHits, RuleKind } from "../secrets";
import type { Area, Host } from "./host";
import type { Sessions } from "./sessions";

type Names =
	| "export_session"
	| "preview_export"
	| "default_redact_rules"
	| "import_sessions"
	| "import_locked"
	| "forget_locked";

/** Opens every encrypted file of the fake host. */
export const PASSPHRASE = "correct horse";

const DEFAULTS: RedactRules = {
	keys: [
		"password",
		"secret",
		"token",
		"api_key",
		"apikey",
		"authorization",
		"access_token",
		"client_secret",
	],
	headers: ["authorization", "cookie", "set-cookie", "x-api-key"],
	values: [
		"eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]+",
		"sk-[A-Za-z0-9]{12,}",
		"ghp_[A-Za-z0-9]{36}",
		"AKIA[0-9A-Z]{16}",
	],
	paths: [],
};

const GONE = "‹redacted›";
const SAMPLES = 100;
const CUT = 200;

/** A rule as this host reads it. */
interface Reader {
	kind: RuleKind;
	rule: string;
	/** What it hits, the part that goes in its first group; null where it cannot be read. */
	find: RegExp | null;
	problem: string | null;
}

export class Exports {
	private locked = new Map<number, string>();

	constructor(
		private readonly host: Host,
		private readonly sessions: Sessions,
		/** The next import brings files that need a passphrase. */
		private readonly encrypted: boolean,
	) {}

	readonly commands: Area<Names> = {
		default_redact_rules: () => structuredClone(DEFAULTS),
		preview_export: ({ session, rules }) => this.preview(session, readers(rules)),
		export_session: ({ session, options }) => {
			const bad = readers(options.redact).find(({ problem }) => problem !== null);
			if (bad) throw { code: "invalid_config", message: `${bad.rule}: ${bad.problem}` };
			const { server_name, number } = this.host.session(session);
			const end = options.passphrase === null ? "" : ".age";
			return `/home/ada/${server_name}-${number}.jsonl${end}`;
		},
		import_sessions: () => {
			if (!this.encrypted) return { sessions: [this.sessions.imported()], locked: [] };
			const names = ["bug-4711.jsonl.age", "orders-mcp-14.jsonl.age"];
			const files = names.map((name) => ({ id: this.host.next(), name }));
			this.locked = new Map(files.map(({ id, name }) => [id, name]));
			return { sessions: [], locked: files };
		},
		import_locked: ({ id, passphrase }) => {
			if (passphrase !== PASSPHRASE) {
				throw { code: "wrong_passphrase", message: `This passphrase does not open ${this.locked.get(id)}.` };
			}
			this.locked.delete(id);
			return this.sessions.imported();
		},
		forget_locked: ({ id }) => {
			this.locked.delete(id);
			return null;
		},
	};

	private preview(session: string, rules: Reader[]) {
		const log = this.host.log(session);
		const samples: RedactionSample[] = [];
		const hits = new Map<Reader, number>();
		const changed = new Set<number>();
		for (let i = 0; i < log.size; i += 1) {
			const { seq, kind } = log.row(i);
			const body = log.body(seq);
			for (const reader of rules) {
				for (const found of reader.find ? body.matchAll(reader.find) : []) {
					hits.set(reader, (hits.get(reader) ?? 0) + 1);
					changed.add(seq);
					const [before] = found;
					const after = before.replace(found[1] ?? before, reader.kind === "value" ? GONE : `"${GONE}"`);
					const place = kind === "stderr" ? "stderr" : "body";
					const cut = (text: string) => text.slice(0, CUT);
					samples.push({ seq, place, before: cut(before), after: cut(after), rule: reader.rule });
				}
			}
		}
		const told = rules.map(
			(reader): RuleHits => ({
				kind: reader.kind,
				rule: reader.rule,
				hits: hits.get(reader) ?? 0,
				problem: reader.problem,
			}),
		);
		return { records: log.size, changed: changed.size, rules: told, samples: samples.slice(0, SAMPLES) };
	}
}

const VALUE = '("(?:[^"\\\\]|\\\\.)*"|[\\w.+-]+)';

const member = (name: string) => new RegExp(`"${name.replace(/[^\w-]/g, "\\$&")}"\\s*:\\s*${VALUE}`, "gi");

function readers({ keys, headers, values, paths }: RedactRules): Reader[] {
	return [
		...keys.map((rule): Reader => ({ kind: "key", rule, find: member(rule), problem: null })),
		...headers.map((rule): Reader => ({ kind: "header", rule, find: null, problem: null })),
		...values.map(readValue),
		...paths.map((rule): Reader => {
			const name = /^\$.*?([\w-]+)$/.exec(rule)?.[1];
			if (name === undefined)
				return { kind: "path", rule, find: null, problem: "A JSON path begins with $ and ends with a name." };
			return { kind: "path", rule, find: member(name), problem: null };
		}),
	];
}

function readValue(rule: string): Reader {
	try {
		return { kind: "value", rule, find: new RegExp(`(${rule})`, "g"), problem: null };
	} catch {
		return {
			kind: "value",
			rule,
			find: null,
			problem: "A bracket of this regular expression is not closed.",
		};
	}
}
