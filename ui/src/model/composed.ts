/** What this app says about a raw frame before it is sent. It says it, and sends what is there. */
import { isJson } from "./form/edit";
import { bytes } from "./format";
import { at, readJson } from "./json/tree";

/** Facts about a frame as typed. */
export interface FrameFacts {
	/** Its size in UTF-8. */
	size: string;
	/** Its id as written, if it has one. */
	id: string | null;
	/** What is odd about it. */
	odd: string[];
}

/** Looks at a frame as it would go out. */
export function frameFacts(text: string, stdio: boolean): FrameFacts {
	const odd: string[] = [];
	const json = isJson(text);
	const root = json ? readJson(text) : null;
	if (text.trim() === "") odd.push("it is empty");
	else if (!json) odd.push("it is not JSON");
	else if (root?.kind === "array") odd.push("it is a batch");
	else if (root?.kind !== "object") odd.push("it is no object");
	else if (at(root, "jsonrpc")?.raw !== '"2.0"') odd.push('jsonrpc is not "2.0"');
	const lines = text.split("\n").length - 1;
	if (stdio && lines > 0) {
		odd.push(`over stdio its ${lines === 1 ? "line break ends" : `${lines} line breaks each end`} a message`);
	}
	return { size: bytes(new Blob([text]).size), id: at(root, "id")?.raw ?? null, odd };
}

/** The frame with another id, spliced in; unchanged where it has none. */
export function withId(text: string, id: string): string {
	const old = at(readJson(text), "id");
	return old ? text.slice(0, old.from) + id + text.slice(old.to) : text;
}
