/** What a command throws, in words. */
import type { ErrorCode } from "../ipc/bindings/ErrorCode";

/** The words of whatever a command threw. */
export function words(error: unknown): string {
	if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
	return String(error);
}

/** The code of whatever a command threw; `internal` where it is not one of ours. */
export function codeOf(error: unknown): ErrorCode {
	if (typeof error === "object" && error !== null && "code" in error) return error.code as ErrorCode;
	return "internal";
}
