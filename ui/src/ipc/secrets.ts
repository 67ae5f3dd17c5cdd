/** Passphrases, redaction and the app's own log, as the host tells of them. */
import type { SessionRow } from "./bindings/SessionRow";

/** What is made unreadable in an export, each rule as typed. */
export interface RedactRules {
	/** Names of members of JSON objects at any depth; upper and lower case are the same. */
	keys: string[];
	/** Names of HTTP headers. */
	headers: string[];
	/** Regular expressions over any text. */
	values: string[];
	/** JSON paths, such as `$..password`. */
	paths: string[];
}

export type RuleKind = "key" | "header" | "value" | "path";

/** What one rule does to a session. */
export interface RuleHits {
	kind: RuleKind;
	rule: string;
	hits: number;
	/** Why the rule cannot be read; it then hits nothing. */
	problem: string | null;
}

/** One place that a rule changes. */
export interface RedactionSample {
	seq: number;
	/** Where in the record. */
	place: string;
	before: string;
	after: string;
	rule: string;
}

/** What an export would change; of the samples the first 100. */
export interface ExportPreview {
	records: number;
	changed: number;
	rules: RuleHits[];
	samples: RedactionSample[];
}

export interface ExportOptions {
	redact: RedactRules;
	/** Encrypts the file. */
	passphrase: string | null;
}

/** A file that needs a passphrase to be imported. */
export interface LockedFile {
	id: number;
	name: string;
}

export interface ImportOutcome {
	sessions: SessionRow[];
	locked: LockedFile[];
}

/** Whether what a command threw says that a passphrase opens nothing. */
export function isWrongPassphrase(error: unknown): boolean {
	return typeof error === "object" && error !== null && "code" in error && error.code === "wrong_passphrase";
}

/** Where secrets go. */
export type SecretStoreKind = "keychain" | "file" | "memory";

/** Where secrets go, and what can be done about it. */
export interface SecretStoreRow {
	/** The keychain of the operating system works. */
	keychain: boolean;
	/** The keychain's name for the eye, or why there is none. */
	text: string;
	kind: SecretStoreKind;
	/** There is a file of secrets, and its passphrase was not given since this app was started. */
	locked: boolean;
	/** No keychain works here: a file or memory can be chosen. */
	canChoose: boolean;
}

export type AppLogLevel = "error" | "warn" | "info" | "debug" | "trace";

/** A line that this app wrote about itself. */
export interface AppLogLine {
	/** Milliseconds since the epoch. */
	at: number;
	level: AppLogLevel;
	/** The part of this app. */
	target: string;
	text: string;
}

/** The newest lines, oldest first. */
export interface AppLog {
	lines: AppLogLine[];
	/** From which level on lines are written. */
	level: AppLogLevel;
	/** The file. */
	path: string;
	/** Older lines that are in the file alone. */
	dropped: number;
}
