/** Reads a golden session (JSONL capture, docs/capture-format.md) as a script for the fake host. */
import type { Entry } from "./rows";

interface Line {
	at_us: number;
	event: string;
	direction?: "c2s" | "s2c";
	body?: string;
	body_b64?: string;
}

/** The entries of a capture, and when it began. */
export function readCapture(text: string): { server: string; startedUs: number; entries: Entry[] } {
	const [head = "{}", ...lines] = text.trim().split("\n");
	const header = JSON.parse(head) as { server?: string; started_us?: number };
	let last = header.started_us ?? 0;
	const entries = lines.map((line) => {
		const parsed = JSON.parse(line) as Line;
		const after = (parsed.at_us - last) / 1000;
		last = parsed.at_us;
		return entry(parsed, after);
	});
	return { server: header.server ?? "capture", startedUs: header.started_us ?? 0, entries };
}

function entry(line: Line, after: number): Entry {
	const body = line.body ?? atob(line.body_b64 ?? "");
	const dir = line.direction ?? (line.event === "stderr" ? "s2c" : null);
	if (line.event === "frame") return { after, dir, body, ...frame(body) };
	if (line.event === "stderr" || line.event === "note") return { after, dir, body, kind: line.event };
	const crash = line.event === "closed" && body.includes('"code":3');
	return {
		after,
		dir,
		body,
		kind: "lifecycle",
		summary: `${line.event} ${body}`,
		...(crash ? { flags: ["crash"] } : {}),
	};
}

/** What the host would say of a frame; only as much as the page shows. */
function frame(body: string): Pick<Entry, "kind" | "id" | "method" | "isError" | "code"> {
	let message: Record<string, unknown>;
	try {
		message = JSON.parse(body) as Record<string, unknown>;
	} catch {
		return { kind: "malformed" };
	}
	if (Array.isArray(message)) return { kind: "batch" };
	const id = "id" in message ? { id: JSON.stringify(message.id) } : {};
	if (typeof message.method === "string") {
		return { kind: "id" in message ? "request" : "notification", method: message.method, ...id };
	}
	if ("error" in message) return { kind: "error", code: (message.error as { code: number }).code, ...id };
	if ("result" in message) {
		return { kind: "result", isError: (message.result as { isError?: boolean })?.isError === true, ...id };
	}
	return { kind: "malformed" };
}
