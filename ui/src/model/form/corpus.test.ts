/**
 * Forms for the schemas of real servers, which lie beside the repository and are not part of it. Where they are missing,
 * the tests are skipped and counted as skipped.
 */
import { describe, expect, it } from "vitest";
import { at, type Json, readJson, text } from "../json/tree";
import { Driver } from "./driver";
import { isJson } from "./edit";
import { initialText } from "./fill";
import { readForm } from "./form";
import { FormMemory } from "./memory";
import { layout, type Row } from "./rows";
import { Edits } from "./states";
import { facts, typeWord } from "./words";

const SERVERS = import.meta.glob<string>("../../../../../shared/corpus/servers/*.json", {
	query: "?raw",
	import: "default",
	eager: true,
});
const TORTURE = Object.values(
	import.meta.glob<string>("../../../../../shared/peers/torture.mjs", {
		query: "?raw",
		import: "default",
		eager: true,
	}),
)[0];

interface Tool {
	name: string;
	schema: string | null;
}

/** Every tool that is listed anywhere in a file. */
function toolsIn(file: string): Tool[] {
	const found: Tool[] = [];
	const look = (json: Json): void => {
		for (const tool of at(json, "tools")?.items ?? []) {
			const name = text(at(tool, "name"));
			if (name !== null) found.push({ name, schema: at(tool, "inputSchema")?.raw ?? null });
		}
		for (const { value } of json.members) look(value);
		for (const item of json.items) look(item);
	};
	const root = readJson(file);
	if (root) look(root);
	return found;
}

const files = Object.entries(SERVERS).map(([path, file]) => ({ name: path.split("/").at(-1) ?? "", file }));
const real = files.flatMap(({ name, file }) =>
	toolsIn(file).map((tool) => ({ ...tool, name: `${name} ${tool.name}` })),
);

/** Everything that the controls of a row can do to the text. */
const EDITS: readonly [name: string, edit: (edits: Edits, row: Row) => string][] = [
	["omit", (edits, row) => edits.omit(row)],
	["null", (edits, row) => edits.setNull(row)],
	["empty", (edits, row) => edits.empty(row)],
	["value", (edits, row) => edits.value(row)],
	["typed", (edits, row) => edits.typed(row, 'a "b"\n\\')],
	["number", (edits, row) => edits.number(row, "9007199254740993")],
	["no number", (edits, row) => edits.number(row, "1.")],
	["add", (edits, row) => edits.add(row)],
	["token", (edits, row) => edits.addToken(row, '"t"')],
	["rename", (edits, row) => (row.role === "entry" ? edits.rename(row, "k") : edits.omit(row))],
	["move", (edits, row) => (row.role === "item" ? edits.move(row, 1) : edits.omit(row))],
	["variant", (edits, row) => edits.variant(row, 0, 0)],
	["last variant", (edits, row) => edits.variant(row, 0, (row.choices[0]?.shape.variants.length ?? 0) - 1)],
];

/** Does every single edit to every row of the form as it opens, and of the form with all of its parts open. */
function tryAll({ name, schema }: Tool): number {
	const form = readForm(schema);
	if (!form.root) return 0;
	const rowsOf = (source: string) => layout(form, source, new FormMemory()).rows;
	const editsOf = (source: string) => new Edits(source, new FormMemory(), { defaults: false });
	const fresh = initialText(form.root, { defaults: false });
	const opened = rowsOf(fresh).reduce((source, row) => editsOf(source).value(row), fresh);
	let edits = 0;
	for (const source of [fresh, opened]) {
		for (const row of rowsOf(source)) {
			typeWord(row.shape);
			facts(row.shape);
			for (const [what, edit] of EDITS) {
				const after = edit(editsOf(source), row);
				edits += 1;
				if (!isJson(after)) throw new Error(`${name} ${row.id}: ${what} leaves ${after}`);
			}
		}
	}
	return edits;
}

describe.skipIf(real.length === 0)(`${real.length} tools of ${files.length} real servers`, () => {
	it.each(files.map(({ name }) => name))(
		"%s: every form opens soon, and every single edit leaves JSON",
		(name) => {
			for (const tool of real.filter((one) => one.name.startsWith(`${name} `))) {
				const before = performance.now();
				const form = new Driver(tool.schema ?? "null");
				expect(form.rows.length).toBeGreaterThanOrEqual(0);
				expect(performance.now() - before, `${tool.name}: milliseconds to open`).toBeLessThan(500);
				tryAll(tool);
			}
		},
	);

	it("tries thousands of edits", () => {
		const tried = real.slice(0, 40).map(tryAll);
		expect(tried.reduce((sum, edits) => sum + edits, 0)).toBeGreaterThan(1000);
	});

	it("has a field for every property at the root", () => {
		const without = real.filter(({ schema }) => {
			const declared = at(readJson(schema ?? ""), "properties")?.members.map(({ key }) => key) ?? [];
			const rows = new Set(new Driver(schema ?? "null").rows.map((row) => row.name));
			return declared.some((key) => !rows.has(key));
		});
		expect(without.map(({ name }) => name)).toEqual([]);
	});
});

describe.skipIf(TORTURE === undefined)("a schema of 26 awkward fields", () => {
	const schema = () => {
		const source = TORTURE ?? "";
		const tools = source.slice(source.indexOf("const obj="), source.indexOf("for(let i=0"));
		return new Function(`${tools}; return tools[0].inputSchema`)() as Record<string, object>;
	};

	it("has a field for each, and JSON only where the schema says nothing", () => {
		const form = new Driver(schema());
		const controls = Object.fromEntries(
			form.rows.filter((row) => row.depth === 0).map((row) => [row.name, row.control]),
		);
		expect(Object.keys(controls)).toEqual(Object.keys(schema().properties ?? {}));
		const json = Object.keys(controls).filter((name) => controls[name] === "json");
		expect(json).toEqual(["anything"]);
		expect(form.row("nested/inner/deep").required).toBe(true);
		tryAll({ name: "torture", schema: JSON.stringify(schema()) });
	});
});
