import type { KeyboardEvent } from "react";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { SessionList } from "../../model/sessionList";
import type { Editing } from "./SessionLine";

/** Rows that Page Up and Page Down move by. */
const PAGE = 12;

interface Context {
	list: SessionList;
	rows: readonly SessionRow[];
	/** Place of the cursor, -1 where it is on none. */
	place: number;
	onOpen: (id: string) => void;
	onDelete: (ids: string[]) => void;
	onExport: (ids: string[]) => void;
	onCheck: (id: string, on: boolean, range: boolean) => void;
	onEdit: (what: Editing) => void;
}

/** The keys of the table of sessions. */
export function useListKeys(context: Context): (event: KeyboardEvent) => void {
	const { list, rows, place, onOpen, onDelete, onExport, onCheck, onEdit } = context;
	const row = rows[place];
	const go = (to: number) => {
		const next = rows[Math.max(0, Math.min(to, rows.length - 1))];
		if (next) list.choose(next.id);
		return next;
	};
	const extend = (by: number) => {
		if (row) onCheck(row.id, true, false);
		const next = go(place + by);
		if (next) onCheck(next.id, true, false);
	};
	/** The checked sessions; where none is, the one under the cursor. */
	const chosen = () =>
		list.checked.size > 0
			? rows.filter((one) => list.checked.has(one.id)).map((one) => one.id)
			: row
				? [row.id]
				: [];
	const actions: Record<string, () => void> = {
		ArrowDown: () => go(place + 1),
		j: () => go(place + 1),
		ArrowUp: () => go(place - 1),
		k: () => go(place - 1),
		PageDown: () => go(place + PAGE),
		PageUp: () => go(place - PAGE),
		Home: () => go(0),
		End: () => go(rows.length - 1),
		G: () => go(rows.length - 1),
		"Shift+ArrowDown": () => extend(1),
		"Shift+ArrowUp": () => extend(-1),
		"Mod+a": () =>
			list.check(
				rows.map((one) => one.id),
				true,
			),
		Enter: () => row && onOpen(row.id),
		o: () => row && onOpen(row.id),
		" ": () => row && onCheck(row.id, !list.checked.has(row.id), false),
		F2: () => row && onEdit("name"),
		r: () => row && onEdit("name"),
		t: () => row && onEdit("tags"),
		p: () => row && void list.pin(row),
		E: () => onExport(chosen()),
		Delete: () => onDelete(chosen()),
	};
	return (event) => {
		if (event.target !== event.currentTarget || event.altKey) return;
		const mod = event.ctrlKey || event.metaKey ? "Mod+" : "";
		const shift = event.shiftKey && event.key.length > 1 ? "Shift+" : "";
		const action = actions[`${mod}${shift}${event.key}`];
		if (!action) return;
		event.preventDefault();
		action();
	};
}
