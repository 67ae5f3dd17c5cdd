/** What is typed for one tool: the arguments' text, and what its form knows beside it. */
import { Observable } from "../observable";
import { isJson } from "./edit";
import { type FillOptions, initialText } from "./fill";
import { type Form, readForm } from "./form";
import { FormMemory } from "./memory";
import type { Row } from "./rows";
import { Edits } from "./states";

/** The two views of the same text. */
export type FormView = "form" | "json";

export class FormDraft extends Observable {
	form: Form;
	/** The arguments, to the byte. */
	text: string;
	readonly memory = new FormMemory();
	/** What the user chose to look at; JSON is all there is without a form. */
	private chosen: FormView = "form";

	constructor(
		private schema: string | null,
		private readonly options: () => FillOptions,
	) {
		super();
		this.form = readForm(schema);
		this.text = initialText(this.form.root, options());
	}

	get view(): FormView {
		return this.form.root ? this.chosen : "json";
	}

	show(view: FormView): void {
		this.chosen = view;
		this.changed();
	}

	/** The server lists the tool anew: what is typed stays. */
	takeSchema(schema: string | null): void {
		if (schema === this.schema) return;
		const untouched = this.text === initialText(this.form.root, this.options());
		this.schema = schema;
		this.form = readForm(schema);
		if (untouched) this.text = initialText(this.form.root, this.options());
	}

	/** Takes another text before it is drawn. */
	begin(text: string): void {
		this.memory.clear();
		this.text = text;
		this.chosen = readsAsForm(text) ? "form" : "json";
	}

	/** Replaces the whole text. */
	type(text: string): void {
		this.text = text;
		this.changed();
	}

	/** Begins anew. */
	reset(): void {
		this.memory.clear();
		this.type(initialText(this.form.root, this.options()));
	}

	/** Does something to the text through the form. */
	edit(act: (edits: Edits) => string): void {
		this.type(act(new Edits(this.text, this.memory, this.options())));
	}

	fold(row: Row): void {
		toggle(this.memory.folded, row.id);
		this.changed();
	}

	/** Edits a row as JSON, or with its own control again. */
	asJson(row: Row): void {
		toggle(this.memory.asJson, row.id);
		this.changed();
	}

	/** The user was there: what is missing may be said. */
	touch(id: string): void {
		if (this.memory.touched.has(id)) return;
		this.memory.touched.add(id);
		this.changed();
	}

	/** Takes back a warning for a value; it comes again with another value. */
	wave(key: string): void {
		this.memory.waved.add(key);
		this.changed();
	}
}

/** Whether a form can be drawn over a text. */
function readsAsForm(text: string): boolean {
	return text.trim() === "" || (isJson(text) && text.trimStart().startsWith("{"));
}

function toggle(set: Set<string>, id: string): void {
	if (!set.delete(id)) set.add(id);
}
