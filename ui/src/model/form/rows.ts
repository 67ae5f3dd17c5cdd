/** Lays a form out over the arguments' text: one row for each place that there is to fill. Pure. */
import { pointerStep } from "../json/pointer";
import { type Json, readJson, text } from "../json/tree";
import { base, isJson, type Path } from "./edit";
import type { Form } from "./form";
import type { FormMemory } from "./memory";
import { type Property, type Shape, shapeOf } from "./shape";
import { activeVariant, sameValue } from "./variants";
import { isSecret } from "./words";

/** What a row is edited with. `group` has rows below it; `choice` waits for a variant; `twice` is a key that
 * stands there more than once. */
export type Control =
	| "text"
	| "number"
	| "boolean"
	| "enum"
	| "const"
	| "list"
	| "multi"
	| "json"
	| "null"
	| "group"
	| "choice"
	| "twice";

/** What a row's place holds. */
export type State = "value" | "empty" | "null" | "omit";

/** A choice among variants, one for each union around the row's own shape. */
export interface Choice {
	shape: Shape;
	active: number;
}

/** A place of the arguments. */
export interface Row {
	/** Its place, as keys are written in a JSON pointer; members of a map by number. */
	id: string;
	/** The same as the check names it. */
	pointer: string;
	path: Path;
	depth: number;
	role: "root" | "property" | "item" | "entry";
	name: string;
	required: boolean;
	/** The schema does not name it. */
	extra: boolean;
	/** What the schema says, unions included. */
	shape: Shape;
	/** What it says once the variants are chosen. */
	inner: Shape;
	choices: readonly Choice[];
	value: Json | null;
	state: State;
	control: Control;
	/** Of an item or entry: its number and how many there are. */
	index: number;
	count: number;
	/** Names of the object that it is in, in the schema's order. */
	order: readonly string[];
	folded: boolean;
	/** A map that holds this key before. */
	repeated: boolean;
}

/** A laid-out form. */
export interface Layout {
	rows: Row[];
	/** Why the text has no form: it is no JSON, or no object. */
	problem: string | null;
	/** Items that have no row, since there are too many. */
	hidden: number;
}

/** Rows of one array or map; the rest is for the JSON tab. */
const MAX_ITEMS = 200;

/** The rows of a form over `source`. */
export function layout(form: Form, source: string, memory: FormMemory): Layout {
	if (!form.root) return { rows: [], problem: null, hidden: 0 };
	const whole = base(source);
	if (!isJson(whole)) return { rows: [], problem: "The text is not JSON.", hidden: 0 };
	const value = readJson(whole);
	if (value?.kind !== "object") return { rows: [], problem: "The arguments are no object.", hidden: 0 };
	const out = new Rows(memory);
	out.root(form.root, value);
	return { rows: out.rows, problem: null, hidden: out.hidden };
}

/** Pointers to the values that are not to be read over a shoulder, also where their rows are folded or beyond those laid out. */
export function secretPlaces(form: Form, source: string, memory: FormMemory): string[] {
	const value = form.root ? readJson(base(source)) : null;
	if (!form.root || value?.kind !== "object") return [];
	const out = new Rows(
		{ chosen: memory.chosen, asJson: new Set(), folded: new Set() },
		Number.POSITIVE_INFINITY,
	);
	out.root(form.root, value);
	return out.rows.filter((row) => row.value !== null && isSecret(row.inner)).map((row) => row.pointer);
}

type Place = Pick<Row, "role" | "name" | "required" | "extra" | "index" | "count" | "order" | "repeated">;

/** A place to start from: where it is. */
type Where = Pick<Row, "id" | "pointer" | "path" | "depth">;

class Rows {
	readonly rows: Row[] = [];
	hidden = 0;

	constructor(
		private readonly memory: Pick<FormMemory, "chosen" | "asJson" | "folded">,
		private readonly most = MAX_ITEMS,
	) {}

	root(shape: Shape, value: Json): void {
		const where = { id: "", pointer: "", path: [], depth: -1 };
		const row = this.row(where, { ...PROPERTY, role: "root" }, shape, value);
		if (row.choices.length > 0) this.rows.push({ ...row, depth: 0 });
		this.children({ ...row, folded: false });
	}

	private add(where: Where, place: Place, shape: Shape, value: Json | null): void {
		const row = this.row(where, place, shape, value);
		this.rows.push(row);
		this.children(row);
	}

	private row(where: Where, place: Place, shape: Shape, value: Json | null): Row {
		const { memory } = this;
		const choices: Choice[] = [];
		let inner = shape;
		while (inner.kind === "variants") {
			const active = activeVariant(inner, value, memory.chosen.get(`${where.id}#${choices.length}`) ?? null);
			choices.push({ shape: inner, active });
			const chosen = inner.variants[active]?.shape();
			if (!chosen) break;
			inner = chosen;
		}
		const asJson = memory.asJson.has(where.id);
		return {
			...where,
			...place,
			shape,
			inner,
			choices,
			value,
			state: stateOf(inner, value),
			control: asJson && place.role !== "root" ? "json" : controlOf(inner, value),
			folded: memory.folded.has(where.id),
		};
	}

	private children(row: Row): void {
		if (row.control !== "group" || row.folded || !row.value) return;
		if (row.value.kind === "array") this.items(row, row.value);
		else if (row.inner.kind === "map") this.entries(row, row.value);
		else this.members(row, row.value);
	}

	private members(row: Row, value: Json): void {
		const declared = row.inner.properties();
		const order = declared.map(({ name }) => name);
		const known = new Set(order);
		const seen = new Map<string, number>();
		for (const { key } of value.members) seen.set(key, (seen.get(key) ?? 0) + 1);
		for (const property of declared)
			this.property(row, property, value, order, (seen.get(property.name) ?? 0) > 1);
		const rest = row.inner.rest;
		for (const [key, times] of seen) {
			if (known.has(key)) continue;
			const property = { name: key, required: false, shape: rest ? rest() : shapeOf([], NOTHING) };
			this.property(row, property, value, order, times > 1, true);
		}
	}

	private property(
		row: Row,
		{ name, required, shape }: Property,
		object: Json,
		order: readonly string[],
		twice: boolean,
		extra = false,
	): void {
		const value = object.members.findLast(({ key }) => key === name)?.value ?? null;
		const where = below(row, name, pointerStep(name));
		const place = { ...PROPERTY, name, required, extra, order };
		if (!twice) this.add(where, place, shape, value);
		else this.rows.push({ ...this.row(where, place, shape, value), control: "twice" });
	}

	private items(row: Row, value: Json): void {
		const count = value.items.length;
		value.items.slice(0, this.most).forEach((item, index) => {
			const place = { ...PROPERTY, role: "item" as const, name: String(index + 1), index, count };
			const shape = row.inner.item?.() ?? shapeOf([], NOTHING);
			this.add(below(row, index, String(index)), place, shape, item);
		});
		this.hidden += Math.max(0, count - this.most);
	}

	private entries(row: Row, value: Json): void {
		const count = value.members.length;
		value.members.slice(0, this.most).forEach(({ key, value: entry }, index) => {
			const repeated = value.members.findIndex((other) => other.key === key) < index;
			const place = { ...PROPERTY, role: "entry" as const, name: key, index, count, repeated };
			const where = { ...below(row, index, pointerStep(key)), id: `${row.id}/${index}` };
			this.add(where, place, row.inner.item?.() ?? shapeOf([], NOTHING), entry);
		});
		this.hidden += Math.max(0, count - this.most);
	}
}

const PROPERTY: Place = {
	role: "property",
	name: "",
	required: false,
	extra: false,
	index: 0,
	count: 0,
	order: [],
	repeated: false,
};

/** The document of a place about which no schema says anything. */
const NOTHING: Json = { kind: "object", raw: "{}", from: 0, to: 2, members: [], items: [] };

function below(row: Row, step: string | number, name: string): Where {
	return {
		id: `${row.id}/${name}`,
		pointer: `${row.pointer}/${name}`,
		path: [...row.path, step],
		depth: row.depth + 1,
	};
}

function stateOf(shape: Shape, value: Json | null): State {
	if (!value) return "omit";
	if (value.raw === "null" && shape.kind !== "json") return "null";
	return shape.kind === "string" && value.kind === "string" && text(value) === "" ? "empty" : "value";
}

/** What a place is edited with: by its schema where the value fits it, else as JSON. */
function controlOf(shape: Shape, value: Json | null): Control {
	const empty = !value || value.raw === "null";
	switch (shape.kind) {
		case "string":
			// A carriage return would not survive a text field.
			return empty || (value.kind === "string" && !text(value)?.includes("\r")) ? "text" : "json";
		case "number":
		case "integer":
			return empty || value.kind === "number" || value.kind === "string" ? "number" : "json";
		case "boolean":
			return empty || value.raw === "true" || value.raw === "false" ? "boolean" : "json";
		case "enum":
			return "enum";
		case "const":
			return !value || sameValue(value.raw, shape.fixed ?? "") ? "const" : "json";
		case "null":
			return empty ? "null" : "json";
		case "multi":
			if (empty || isChoice(shape, value)) return "multi";
			return isScalars(value) ? "list" : "json";
		case "list":
			return empty || isScalars(value) ? "list" : "json";
		case "rows":
			return empty || value.kind === "array" ? "group" : "json";
		case "object":
		case "map":
			return empty || value.kind === "object" ? "group" : "json";
		case "variants":
			return empty ? "choice" : "json";
		case "json":
			return "json";
	}
}

function isScalars(value: Json): boolean {
	return value.kind === "array" && value.items.every(({ kind }) => kind !== "object" && kind !== "array");
}

/** Whether an array holds options alone, each once. */
function isChoice({ options }: Shape, value: Json): boolean {
	if (value.kind !== "array") return false;
	const found = value.items.map((item) => options.findIndex(({ raw }) => sameValue(raw, item.raw)));
	return found.every((place) => place >= 0) && new Set(found).size === found.length;
}
