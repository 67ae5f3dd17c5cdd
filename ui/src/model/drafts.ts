/** Which tool is chosen and what is typed for it, per server: kept while the window is open, whatever is looked at. */
import { Observable } from "./observable";

export class Drafts extends Observable {
	private readonly tools = new Map<string, string>();
	private readonly args = new Map<string, string>();

	/** The chosen tool of a server: place and name, since names may repeat. */
	tool(server: string): string | null {
		return this.tools.get(server) ?? null;
	}

	choose(server: string, tool: string): void {
		this.tools.set(server, tool);
		this.changed();
	}

	/** The arguments' text as typed, if anything was. */
	typed(server: string, tool: string): string | null {
		return this.args.get(JSON.stringify([server, tool])) ?? null;
	}

	type(server: string, tool: string, text: string): void {
		this.args.set(JSON.stringify([server, tool]), text);
		this.changed();
	}
}
