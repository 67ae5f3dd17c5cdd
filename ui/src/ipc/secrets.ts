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
