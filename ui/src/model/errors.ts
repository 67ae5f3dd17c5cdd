/** What a command throws, in words. */
import type { ErrorCode } from "../ipc/bindings/ErrorCode";

/** The words of whatever a command threw. */
export function words(error: unknown): string {
	if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
	return String(error);
}

/** Words of the host as a sentence of their own. A first word that is no plain word, such as a method, stays as it is. */
export function sentence(text: string): string {
	return text.replace(/^[a-z]+(?=[\s,])/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

/** The code of whatever a command threw; `internal` where it is not one of ours. */
export function codeOf(error: unknown): ErrorCode {
	if (typeof error === "object" && error !== null && "code" in error) return error.code as ErrorCode;
	return "internal";
}
