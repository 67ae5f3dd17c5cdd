import { useId, useState } from "react";
import type { Completion } from "../../model/completion";
import type { Failures } from "../../model/form/checks";
import type { FormDraft } from "../../model/form/draft";
import type { Layout, Row } from "../../model/form/rows";
import { plural } from "../../model/format";
import { About } from "./About";
import { FormProvider } from "./context";
import { FieldRow } from "./FieldRow";
import css from "./Form.module.css";
import { StateMenu } from "./StateMenu";

interface Props {
	draft: FormDraft;
	layout: Layout;
	failures: Failures;
	label: string;
	testId?: string;
	/** What may be offered for a field as it is typed. */
	complete?: ((row: Row, value: string) => Promise<Completion>) | null;
}

/** Fields over the arguments' text: name, type, control, state. What has the focus is explained below them. */
export function SchemaForm({ draft, layout, failures, label, testId, complete = null }: Props) {
	const base = useId();
	const [focused, setFocused] = useState<string | null>(null);
	const [menu, setMenu] = useState<{ id: string; anchor: HTMLElement } | null>(null);
	const { rows } = layout;
	const menuRow = menu && rows.find((row) => row.id === menu.id);
	const rowAt = (target: EventTarget) => {
		const id = (target as HTMLElement).closest<HTMLElement>("[data-row]")?.dataset.row;
		return id === undefined ? null : (rows.find((row) => row.id === id) ?? null);
	};
	const about = rows.find((row) => row.id === focused) ?? null;
	return (
		<FormProvider
			value={{
				draft,
				idOf: (row) => `${base}${encodeURIComponent(row.id)}`,
				failuresOf: (row) => failures.byRow.get(row.id) ?? [],
				complete,
				openMenu: (row, anchor) => setMenu({ id: row.id, anchor }),
			}}
		>
			<form
				className={css.form}
				aria-label={label}
				data-testid={testId}
				onFocus={(event) => setFocused(rowAt(event.target)?.id ?? null)}
				onBlur={(event) => {
					const row = rowAt(event.target);
					if (row && rowAt(event.relatedTarget ?? event.currentTarget) !== row) draft.touch(row.id);
				}}
				onSubmit={(event) => event.preventDefault()}
				onKeyDown={(event) => {
					if (event.key === "ContextMenu" || (event.shiftKey && event.key === "F10")) {
						event.preventDefault();
						(event.target as HTMLElement)
							.closest("[data-row]")
							?.querySelector<HTMLElement>("[aria-haspopup=menu]")
							?.click();
						return;
					}
					const row = event.altKey && !event.ctrlKey && !event.metaKey ? rowAt(event.target) : null;
					if (row && rowKey(draft, row, event.code)) event.preventDefault();
				}}
			>
				{grouped(rows).map(([row, entries]) => (
					<FieldRow key={row.id} row={row} entries={entries} />
				))}
				{layout.hidden > 0 && (
					<p className={`dim xs ${css.note}`}>{plural(layout.hidden, "more item")} in the JSON view.</p>
				)}
				{draft.form.root && draft.form.root.rules.length > 0 && (
					<p className={`dim xs ${css.note}`}>Also checked: {draft.form.root.rules.join("; ")}</p>
				)}
			</form>
			<About row={about} />
			{menu && menuRow && (
				<StateMenu
					row={menuRow}
					anchor={menu.anchor}
					onClose={() => {
						setMenu(null);
						firstControl(menu.anchor)?.focus();
					}}
				/>
			)}
		</FormProvider>
	);
}

/** The control of the row that an element is in. */
function firstControl(element: HTMLElement): HTMLElement | null {
	const row = element.closest("[data-row]");
	return row?.querySelector<HTMLElement>("textarea, input:not([type=radio]), input:checked, input") ?? null;
}

/** Alt with a letter sets the state of the field that has the focus, with an arrow it moves an item. */
function rowKey(draft: FormDraft, row: Row, code: string): boolean {
	switch (code) {
		case "KeyN":
			draft.edit((edits) => edits.setNull(row));
			return true;
		case "KeyO":
			draft.edit((edits) => edits.omit(row));
			return true;
		case "KeyE":
			draft.edit((edits) => edits.empty(row));
			return true;
		case "KeyD": {
			const value = row.shape.default;
			if (value !== null) draft.edit((edits) => edits.raw(row, value));
			return value !== null;
		}
		case "ArrowUp":
		case "ArrowDown":
			if (row.role !== "item") return false;
			draft.edit((edits) => edits.move(row, code === "ArrowUp" ? -1 : 1));
			return true;
		default:
			return false;
	}
}

/** Each row, a map of plain values together with its entries: those stand in one row. */
function grouped(rows: readonly Row[]): [row: Row, entries: readonly Row[]][] {
	const out: [Row, readonly Row[]][] = [];
	for (let i = 0; i < rows.length; i += 1) {
		const row = rows[i];
		if (!row) continue;
		if (row.control !== "group" || row.inner.kind !== "map") {
			out.push([row, []]);
			continue;
		}
		const below = rows.slice(i + 1).findIndex((other) => other.depth <= row.depth);
		const entries = rows.slice(i + 1, below < 0 ? rows.length : i + 1 + below);
		const plain = entries.every((entry) => entry.depth === row.depth + 1 && entry.control !== "group");
		out.push([row, plain ? entries : []]);
		if (plain) i += entries.length;
	}
	return out;
}
