/** What can be done with a row, by its menu and by key. */
import { copyText } from "../../components/clipboard";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import { words } from "../../model/errors";
import { pretty } from "../../model/json/pretty";
import { canEdit, pairOf, waits } from "../../model/rows";
import type { SessionStore } from "../../model/sessionStore";
import type { RowAction } from "./RowMenu";
import type { Actions } from "./Timeline";

/** Those that apply to this row, in the order of the menu. */
export function rowActions(session: SessionStore, row: RecordRow, actions: Actions): RowAction[] {
	const pair = pairOf(row);
	const out: RowAction[] = [{ name: "Open detail", key: "Enter", run: () => openRow(session, row.seq) }];
	if (pair !== null) {
		out.push({ name: `Go to #${pair}, its pair`, key: "p", run: () => void session.selectSeq(pair) });
	}
	out.push(
		{ name: "Copy laid out", key: "y", run: () => copyRow(session, row.seq, true) },
		{ name: "Copy as received", key: "Shift Y", run: () => copyRow(session, row.seq, false) },
	);
	const { onEdit, onCancel } = actions;
	if (canEdit(row)) out.push({ name: "Edit and resend", key: "e", run: () => onEdit(row.seq) });
	if (waits(row)) out.push({ name: "Cancel the call", key: "x", run: () => onCancel(row.seq) });
	return out;
}

/** Copies a record as received, or laid out for reading. */
export function copyRow(session: SessionStore, seq: number, laidOut: boolean): void {
	void session
		.wholeText(seq)
		.then((text) => copyText(laidOut ? pretty(text).text : text))
		.then(() => session.tell(`Copied #${seq} ${laidOut ? "laid out" : "as received"}`))
		.catch((error: unknown) => session.tell(`Not copied: ${words(error)}`));
}

function openRow(session: SessionStore, seq: number): void {
	void session.selectSeq(seq);
	session.show({ detail: true });
}
