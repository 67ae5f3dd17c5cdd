/** What is chosen and typed, per server: kept while the window is open, whatever is looked at. */
import type { Callable } from "./callable";
import { FormDraft } from "./form/draft";
import type { FillOptions } from "./form/fill";
import { Observable } from "./observable";

/** The tabs of the workspace. */
export type WorkTab = CallTab | "log" | "server" | "compose" | "inputs";

/** Tabs with a list of what can be called. */
export type CallTab = "tools" | "resources" | "prompts";

/** A raw frame as typed. */
export interface Composed {
	text: string;
	headers: readonly (readonly [name: string, value: string])[];
}

export class Drafts extends Observable {
	/** The tab that is shown. */
	tab: WorkTab = "tools";
	private readonly choices = new Map<string, string>();
	private readonly forms = new Map<string, FormDraft>();
	private readonly presets = new Map<string, string>();
	private readonly frames = new Map<string, Composed>();
	private readonly allowed = new Set<string>();

	showTab(tab: WorkTab): void {
		this.tab = tab;
		this.changed();
	}

	/** The chosen item of a server's list: place and name, since names may repeat; or a name that was asked for. */
	chosen(tab: CallTab, server: string): string | null {
		return this.choices.get(JSON.stringify([tab, server])) ?? null;
	}

	/** Chooses an item and shows it. */
	choose(tab: CallTab, server: string, item: string): void {
		this.tab = tab;
		this.choices.set(JSON.stringify([tab, server]), item);
		this.changed();
	}

	/** What is typed for an item. */
	form(tab: CallTab, server: string, key: string, call: Callable, options: () => FillOptions): FormDraft {
		const id = JSON.stringify([tab, server, key]);
		const known = this.forms.get(id);
		const form = known ?? new FormDraft(call.schema, options);
		if (known) known.takeSchema(call.schema);
		else this.forms.set(id, form);
		const preset = JSON.stringify([tab, server, call.name]);
		const text = this.presets.get(preset);
		if (text !== undefined) {
			this.presets.delete(preset);
			form.begin(text);
		}
		return form;
	}

	/** Chooses an item by name, to begin with these arguments. */
	preset(tab: CallTab, server: string, name: string, text: string): void {
		this.presets.set(JSON.stringify([tab, server, name]), text);
		this.choose(tab, server, name);
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

/** How {@link Drafts.choose} names an item of a list. */
export function itemKey(index: number, name: string): string {
	return `${index} ${name}`;
}

/** The place of the chosen item in a list; of one asked for by name the first; else 0. */
export function chosenPlace(items: readonly { name: string }[], chosen: string | null): number {
	const exact = items.findIndex((item, i) => itemKey(i, item.name) === chosen);
	return Math.max(0, exact >= 0 ? exact : items.findIndex((item) => item.name === chosen));
}
