/** Passphrases, redaction and the app's own log, as the host tells of them. */
export type { AppLog } from "./bindings/AppLog";
export type { AppLogLevel } from "./bindings/AppLogLevel";
export type { AppLogLine } from "./bindings/AppLogLine";
export type { ExportOptions } from "./bindings/ExportOptions";
export type { ExportPreview } from "./bindings/ExportPreview";
export type { ImportOutcome } from "./bindings/ImportOutcome";
export type { LockedFile } from "./bindings/LockedFile";
export type { RedactionSample } from "./bindings/RedactionSample";
export type { RedactRules } from "./bindings/RedactRules";
export type { RuleHits } from "./bindings/RuleHits";
export type { RuleKind } from "./bindings/RuleKind";
export type { SecretStoreKind } from "./bindings/SecretStoreKind";
export type { SecretStoreRow } from "./bindings/SecretStoreRow";

/** Whether what a command threw says that a passphrase opens nothing. */
export function isWrongPassphrase(error: unknown): boolean {
	return typeof error === "object" && error !== null && "code" in error && error.code === "wrong_passphrase";
}
