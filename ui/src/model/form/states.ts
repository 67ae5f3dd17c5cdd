/** What the controls of a row do to the arguments' text. Each takes the text and gives the new one. */
import { type Json, readJson } from "../json/tree";
import {
	addMember,
	base,
	find,
	insertItem,
	isJson,
	quote,
	remove,
	renameMember,
	set,
	swapItems,
} from "./edit";
import { type FillOptions, valueFor } from "./fill";
import type { FormMemory } from "./memory";
import type { Row } from "./rows";
import { changeOver, sameValue } from "./variants";

/** Something that can be done to the text through a form. */
export class Edits {
	constructor(
		private readonly text: string,
		private readonly memory: FormMemory,
		private readonly options: FillOptions,
	) {}

	/** Puts JSON text in. */
	raw(row: Row, raw: string): string {
		return set(this.text, row.path, raw, row.order);
	}

	/** What was typed into a text field. */
	typed(row: Row, text: string): string {
		return this.raw(row, quote(text));
	}

	/** What was typed into a number field: a number as written, else the text as a string; nothing is omitted. */
	number(row: Row, typed: string): string {
		const trimmed = typed.trim();
		if (trimmed === "" && row.role === "property") return remove(this.text, row.path);
		return this.raw(row, numberRaw(trimmed));
	}

	omit(row: Row): string {
		this.keep(row);
		if (row.role === "item" || row.role === "entry") return this.removeAt(row);
		return row.value ? remove(this.text, row.path) : base(this.text);
	}

	setNull(row: Row): string {
		this.keep(row);
		return this.raw(row, "null");
	}

	/** `""`, `[]` or `{}`, as the place takes it. */
	empty(row: Row): string {
		this.keep(row);
		return this.raw(row, emptyFor(row));
	}

	/** Back to a value: what was typed before, else what the schema suggests. */
	value(row: Row): string {
		if (row.state === "value") return base(this.text);
		return this.raw(row, this.memory.kept.get(row.id) ?? valueFor(row.shape, this.options));
	}

	/** Changes over to a variant of the union at `level`; what the old one held is brought back when it is chosen again. */
	variant(row: Row, level: number, index: number): string {
		const choice = row.choices[level];
		const shape = choice?.shape.variants[index]?.shape();
		if (!choice || !shape || (choice.active === index && row.value)) return base(this.text);
		const key = (place: number) => `${row.id}#${level}#${place}`;
		if (row.value && choice.active >= 0) this.memory.kept.set(key(choice.active), row.value.raw);
		this.memory.chosen.set(`${row.id}#${level}`, index);
		this.memory.forgetBelow(row.id);
		const kept = this.memory.kept.get(key(index));
		const fresh = kept ?? changeOver(shape, row.value, this.options);
		return row.role === "root" ? fresh : this.raw(row, fresh);
	}

	/** Adds a row to an array, or an entry to a map. */
	add(row: Row): string {
		const opened = row.value && row.state !== "null" ? base(this.text) : this.raw(row, emptyFor(row));
		const at = find(readJson(opened), row.path);
		const raw = row.inner.item ? valueFor(row.inner.item(), this.options) : "null";
		if (row.inner.kind !== "map") return insertItem(opened, row.path, at?.items.length ?? 0, raw);
		return addMember(opened, row.path, "", raw);
	}

	/** Takes an item or entry out. */
	removeAt(row: Row): string {
		this.memory.forgetBelow(parentOf(row.id));
		return remove(this.text, row.path);
	}

	/** Moves an item up (-1) or down (1). */
	move(row: Row, by: -1 | 1): string {
		const to = row.index + by;
		if (to < 0 || to >= row.count) return this.text;
		this.memory.forgetBelow(parentOf(row.id));
		return swapItems(this.text, row.path.slice(0, -1), row.index, to);
	}

	rename(row: Row, key: string): string {
		return renameMember(this.text, row.path.slice(0, -1), row.index, key);
	}

	/** Takes an option into a multi-select or out of it. */
	toggle(row: Row, option: string): string {
		const items = row.value?.items ?? [];
		const at = items.findIndex(({ raw }) => sameValue(raw, option));
		return at < 0 ? this.addToken(row, option) : remove(this.text, [...row.path, at]);
	}

	/** Adds a value at the end of an array, which is made where there is none. */
	addToken(row: Row, raw: string): string {
		if (row.value?.kind !== "array") return this.raw(row, `[${raw}]`);
		return insertItem(this.text, row.path, row.value.items.length, raw);
	}

	removeToken(row: Row, index: number): string {
		return remove(this.text, [...row.path, index]);
	}

	private keep(row: Row): void {
		if (row.state === "value" && row.value) this.memory.kept.set(row.id, row.value.raw);
	}
}

/** JSON's way to write a number. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** A number as typed; what is none is a string, so that it is seen and not guessed at. */
export function numberRaw(typed: string): string {
	return NUMBER.test(typed) ? typed : quote(typed);
}

/** A token of a list, from what was typed: by what the items are. */
export function tokenRaw(row: Row, typed: string): string {
	const item = row.inner.item?.();
	const option = item?.options.find(({ label, raw }) => label === typed || raw === typed);
	if (option) return option.raw;
	switch (item?.kind) {
		case "number":
		case "integer":
			return numberRaw(typed.trim());
		case "string":
		case "enum":
			return quote(typed);
		default:
			return isJson(typed) ? typed : quote(typed);
	}
}

function emptyFor({ inner }: Row): string {
	switch (inner.kind) {
		case "list":
		case "multi":
		case "rows":
			return "[]";
		case "object":
		case "map":
			return "{}";
		default:
			return '""';
	}
}

function parentOf(id: string): string {
	return id.slice(0, id.lastIndexOf("/"));
}

/** What a number or text field shows: a string without its quotes, anything else as written. */
export function shown(value: Json | null, text: (json: Json | null) => string | null): string {
	if (!value || value.raw === "null") return "";
	return text(value) ?? value.raw;
}
