/** What is chosen and typed, per server: kept while the window is open, whatever is looked at. */
import type { ToolRow } from "../ipc/bindings/ToolRow";
import { FormDraft } from "./form/draft";
import type { FillOptions } from "./form/fill";
import { Observable } from "./observable";

/** The tabs of the workspace. */
export type WorkTab = "tools" | "compose" | "inputs";

/** A raw frame as typed. */
export interface Composed {
	text: string;
	headers: readonly (readonly [name: string, value: string])[];
}

export class Drafts extends Observable {
	/** The tab that is shown. */
	tab: WorkTab = "tools";
	private readonly tools = new Map<string, string>();
	private readonly forms = new Map<string, FormDraft>();
	private readonly presets = new Map<string, string>();
	private readonly frames = new Map<string, Composed>();
	private readonly allowed = new Set<string>();

	showTab(tab: WorkTab): void {
		this.tab = tab;
		this.changed();
	}

	/** The chosen tool of a server: place and name, since names may repeat; or a name that was asked for. */
	tool(server: string): string | null {
		return this.tools.get(server) ?? null;
	}

	/** Chooses a tool and shows it. */
	choose(server: string, tool: string): void {
		this.tab = "tools";
		this.tools.set(server, tool);
		this.changed();
	}

	/** What is typed for a tool. */
	form(server: string, key: string, tool: ToolRow, options: () => FillOptions): FormDraft {
		const id = JSON.stringify([server, key]);
		const known = this.forms.get(id);
		const form = known ?? new FormDraft(tool.input_schema, options);
		if (known) known.takeSchema(tool.input_schema);
		else this.forms.set(id, form);
		const preset = JSON.stringify([server, tool.name]);
		const text = this.presets.get(preset);
		if (text !== undefined) {
			this.presets.delete(preset);
			form.begin(text);
		}
		return form;
	}

	/** Chooses a tool by name, to begin with these arguments. */
	preset(server: string, tool: string, args: string): void {
		this.presets.set(JSON.stringify([server, tool]), args);
		this.choose(server, tool);
	}

	/** The raw frame that is typed for a server, if anything was. */
	composed(server: string): Composed | null {
		return this.frames.get(server) ?? null;
	}

	compose(server: string, frame: Composed): void {
		this.tab = "compose";
		this.frames.set(server, frame);
		this.changed();
	}

	/** Whether a destructive tool was confirmed in a session. */
	isAllowed(session: string, tool: string): boolean {
		return this.allowed.has(JSON.stringify([session, tool]));
	}

	allow(session: string, tool: string): void {
		this.allowed.add(JSON.stringify([session, tool]));
	}
}

/** How {@link Drafts.choose} names a tool of a list. */
export function toolKey(index: number, name: string): string {
	return `${index} ${name}`;
}

/** The place of the chosen tool in a list; of one asked for by name the first; else 0. */
export function chosenPlace(tools: readonly ToolRow[], chosen: string | null): number {
	const exact = tools.findIndex((tool, i) => toolKey(i, tool.name) === chosen);
	return Math.max(0, exact >= 0 ? exact : tools.findIndex((tool) => tool.name === chosen));
}
