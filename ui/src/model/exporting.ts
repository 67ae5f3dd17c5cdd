/** The export of sessions: what is made unreadable in it, what that changes, and the passphrase it is encrypted to. */
import type { Backend } from "../ipc/backend";
import type { ExportPreview, RedactRules, RuleHits, RuleKind } from "../ipc/secrets";
import { words } from "./errors";
import { Observable } from "./observable";
import { passphraseProblem } from "./passphrase";

/** Where the user's own rules are kept. */
const SETTING = "export.redact";

/** Pause in typing after which the preview is asked for, milliseconds. */
const PAUSE = 200;

/** The lists of rules by the kind of their rules. */
export const LISTS: Record<RuleKind, keyof RedactRules> = {
	key: "keys",
	header: "headers",
	value: "values",
	path: "paths",
};

const NO_RULES: RedactRules = { keys: [], headers: [], values: [], paths: [] };

/** What an export came to. */
export interface Exported {
	paths: string[];
	encrypted: boolean;
	/** Sessions that were not written, since the user cancelled. */
	left: number;
}

export class ExportStore extends Observable {
	/** What is exported; empty while nothing is. */
	sessions: readonly string[] = [];
	/** The session of the preview. */
	shown = 0;
	/** As typed: a rule may be empty. */
	rules: RedactRules = NO_RULES;
	/** What the rules do to the session that is shown; stale while `looking`. */
	preview: ExportPreview | null = null;
	looking = false;
	encrypt = false;
	passphrase = "";
	repeated = "";
	/** Files are being written. */
	running = false;
	done: Exported | null = null;
	/** What this app could not do, in words. */
	failure: string | null = null;
	private timer: ReturnType<typeof setTimeout> | null = null;
	private turn = 0;

	constructor(private readonly backend: Backend) {
		super();
	}

	get isOpen(): boolean {
		return this.sessions.length > 0;
	}

	/** Begins the export of sessions. Nothing is written before that is asked for. */
	async open(sessions: readonly string[]): Promise<void> {
		if (sessions.length === 0) return;
		this.forget();
		this.sessions = sessions;
		this.stale();
		const { turn } = this;
		try {
			const kept = await this.backend.call("get_setting", { key: SETTING }).catch(() => null);
			const rules = rulesOf(kept) ?? (await this.backend.call("default_redact_rules", {}));
			if (turn !== this.turn) return;
			this.rules = rules;
			await this.read();
		} catch (error) {
			if (turn === this.turn) this.fail(error);
		}
	}

	/** Ends it; passphrases are forgotten. */
	close(): void {
		this.forget();
		this.changed();
	}

	/** Previews another of the sessions. */
	show(index: number): void {
		this.shown = index;
		this.stale();
		void this.read();
	}

	setRule(kind: RuleKind, index: number, text: string): void {
		this.change(kind, (rules) => rules.with(index, text));
	}

	addRule(kind: RuleKind): void {
		this.change(kind, (rules) => [...rules, ""]);
	}

	removeRule(kind: RuleKind, index: number): void {
		this.change(kind, (rules) => rules.toSpliced(index, 1));
	}

	/** Takes the rules that this app begins with. */
	async resetRules(): Promise<void> {
		try {
			this.rules = await this.backend.call("default_redact_rules", {});
			this.stale();
			this.keep();
			await this.read();
		} catch (error) {
			this.fail(error);
		}
	}

	setEncrypt(on: boolean): void {
		this.encrypt = on;
		this.changed();
	}

	setPassphrase(passphrase: string, repeated: string): void {
		this.passphrase = passphrase;
		this.repeated = repeated;
		this.changed();
	}

	/** What a rule does to the session that is shown; null where that is not known. */
	hits(kind: RuleKind, rule: string): RuleHits | null {
		return this.preview?.rules.find((one) => one.kind === kind && one.rule === rule.trim()) ?? null;
	}

	/** Which rules cannot be read, in words; null where all can. */
	get wrong(): string | null {
		const [first, ...more] = this.preview?.rules.filter(({ problem }) => problem !== null) ?? [];
		if (!first) return null;
		const cut = first.rule.length > 24 ? `${first.rule.slice(0, 24)}…` : first.rule;
		return `This app cannot read ${cut}${more.length > 0 ? ` and ${more.length} more` : ""}`;
	}

	/** Why nothing can be written now, in words; null where it can. */
	get blocked(): string | null {
		if (this.looking || !this.preview) return "What the export would hold is not known yet";
		if (this.wrong !== null) return this.wrong;
		return this.encrypt ? passphraseProblem(this.passphrase, this.repeated) : null;
	}

	/** Asks for a place for each session in turn, until the user cancels. */
	async run(): Promise<void> {
		if (this.running || this.blocked !== null) return;
		this.running = true;
		this.failure = null;
		this.changed();
		const { turn } = this;
		const options = { redact: typed(this.rules), passphrase: this.encrypt ? this.passphrase : null };
		const paths: string[] = [];
		try {
			for (const session of this.sessions) {
				const path = await this.backend.call("export_session", { session, options });
				if (path === null) break;
				paths.push(path);
			}
		} catch (error) {
			if (turn === this.turn) this.fail(error);
		}
		if (turn !== this.turn) return;
		this.running = false;
		if (paths.length > 0) {
			this.done = { paths, encrypted: this.encrypt, left: this.sessions.length - paths.length };
			this.setPassphrase("", "");
		}
		this.changed();
	}

	private change(kind: RuleKind, edit: (rules: string[]) => string[]): void {
		const list = LISTS[kind];
		this.rules = { ...this.rules, [list]: edit(this.rules[list]) };
		this.stale();
		const { turn } = this;
		this.timer = setTimeout(() => {
			if (turn !== this.turn) return;
			this.keep();
			void this.read();
		}, PAUSE);
	}

	/** What is shown is of before; an answer that is on its way is too. */
	private stale(): void {
		if (this.timer !== null) clearTimeout(this.timer);
		this.timer = null;
		this.turn += 1;
		this.looking = true;
		this.changed();
	}

	private async read(): Promise<void> {
		const { turn } = this;
		const session = this.sessions[this.shown];
		if (session === undefined) return;
		try {
			const preview = await this.backend.call("preview_export", { session, rules: typed(this.rules) });
			if (turn !== this.turn) return;
			this.preview = preview;
			this.looking = false;
			this.failure = null;
		} catch (error) {
			if (turn === this.turn) this.fail(error);
		}
		this.changed();
	}

	private keep(): void {
		this.backend
			.call("set_setting", { key: SETTING, value: typed(this.rules) })
			.catch((error: unknown) => this.fail(error));
	}

	private fail(error: unknown): void {
		this.failure = words(error);
		this.changed();
	}

	private forget(): void {
		if (this.timer !== null) clearTimeout(this.timer);
		this.timer = null;
		this.turn += 1;
		this.sessions = [];
		this.shown = 0;
		this.preview = null;
		this.looking = false;
		this.encrypt = false;
		this.passphrase = "";
		this.repeated = "";
		this.running = false;
		this.done = null;
		this.failure = null;
	}
}

/** The rules that say something. */
function typed(rules: RedactRules): RedactRules {
	const told = (list: string[]) => [...new Set(list.map((rule) => rule.trim()).filter(Boolean))];
	return {
		keys: told(rules.keys),
		headers: told(rules.headers),
		values: told(rules.values),
		paths: told(rules.paths),
	};
}

/** What is kept may be of another version, or edited by hand; null where it holds no rules. */
function rulesOf(value: unknown): RedactRules | null {
	if (typeof value !== "object" || value === null) return null;
	const texts = (list: unknown) =>
		Array.isArray(list) ? list.filter((rule): rule is string => typeof rule === "string") : [];
	const kept = value as Partial<Record<keyof RedactRules, unknown>>;
	return {
		keys: texts(kept.keys),
		headers: texts(kept.headers),
		values: texts(kept.values),
		paths: texts(kept.paths),
	};
}
