/** Fills a form as a user does, by the names of its rows. For tests. */
import type { FillOptions } from "./fill";
import { initialText } from "./fill";
import { type Form, readForm } from "./form";
import { FormMemory } from "./memory";
import { layout, type Row } from "./rows";
import { Edits } from "./states";

export class Driver {
	readonly form: Form;
	readonly memory = new FormMemory();
	private readonly options: FillOptions;
	text: string;

	constructor(schema: unknown, { defaults = false, text }: { defaults?: boolean; text?: string } = {}) {
		this.form = readForm(typeof schema === "string" ? schema : JSON.stringify(schema));
		this.options = { defaults };
		this.text = text ?? initialText(this.form.root, this.options);
	}

	get rows(): Row[] {
		return layout(this.form, this.text, this.memory).rows;
	}

	/** The row with this id, without its leading slash. */
	row(id: string): Row {
		const found = this.rows.find((row) => row.id === `/${id}`);
		if (!found) throw new Error(`no row ${id} among ${this.rows.map((row) => row.id).join(" ")}`);
		return found;
	}

	/** Does something to a row. */
	do(id: string, act: (edits: Edits, row: Row) => string): this {
		this.text = act(new Edits(this.text, this.memory, this.options), this.row(id));
		return this;
	}

	/** Types into a text field. */
	type(id: string, text: string): this {
		return this.do(id, (edits, row) => edits.typed(row, text));
	}

	/** Types into a number field. */
	number(id: string, text: string): this {
		return this.do(id, (edits, row) => edits.number(row, text));
	}

	/** Chooses a value as the schema writes it. */
	choose(id: string, raw: string): this {
		return this.do(id, (edits, row) => edits.raw(row, raw));
	}

	/** Chooses a variant by its label. */
	variant(id: string, label: string): this {
		return this.do(id, (edits, row) => {
			const index = row.choices[0]?.shape.variants.findIndex((variant) => variant.label === label) ?? -1;
			if (index < 0) throw new Error(`no variant ${label}`);
			return edits.variant(row, 0, index);
		});
	}
}
