/** The params of a tool call, put together as text so that the arguments stay as typed. */
import type { ToolRow } from "../ipc/bindings/ToolRow";
import { at, readJson } from "./json/tree";

/** `{"name": …, "arguments": …}`; without arguments where nothing is typed. */
export function callParams(tool: ToolRow, args: string): string {
	// The name as the server wrote it, escapes included.
	const name = at(readJson(tool.raw), "name")?.raw ?? JSON.stringify(tool.name);
	return args.trim() === "" ? `{"name":${name}}` : `{"name":${name},"arguments":${args}}`;
}
