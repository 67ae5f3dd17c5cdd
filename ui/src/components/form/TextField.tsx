import { useState } from "react";
import type { Row } from "../../model/form/rows";
import { isLongText, isSecret } from "../../model/form/words";
import { text } from "../../model/json/tree";
import { visible } from "../../model/visible";
import { Icon } from "../Icon";
import { HideIcon, RevealIcon } from "../icons";
import { useForm } from "./context";
import { DefaultNote, plain } from "./DefaultNote";
import css from "./Form.module.css";

/** Lines that a text field grows to. */
const MAX_LINES = 8;

/** A string as typed: never cut, trimmed or broken at other places. Enter breaks a line where there are several already. */
export function TextField({ row, bad }: { row: Row; bad: boolean }) {
	const { draft, idOf } = useForm();
	const [shown, setShown] = useState(false);
	const value = text(row.value) ?? "";
	const lines = value.split("\n").length;
	const long = lines > 1 || isLongText(row.inner);
	const secret = isSecret(row.inner);
	const off = row.state !== "value";
	return (
		<span className={`fld ${css.field} ${bad ? "bad" : ""} ${off ? css.off : ""} ${long ? css.tall : ""}`}>
			<textarea
				id={idOf(row)}
				aria-label={ownLabel(row)}
				className={secret && !shown ? css.masked : undefined}
				rows={long ? Math.min(MAX_LINES, Math.max(3, lines)) : 1}
				value={value}
				placeholder={placeholder(row)}
				aria-required={row.required}
				aria-invalid={bad}
				spellCheck={false}
				onChange={(event) => draft.edit((edits) => edits.typed(row, event.target.value))}
				onKeyDown={(event) => {
					if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey && !long)
						event.preventDefault();
				}}
			/>
			{secret && (
				<button
					type="button"
					className={css.trigger}
					aria-label={`${shown ? "Hide" : "Show"} ${row.name}`}
					aria-pressed={shown}
					onClick={() => setShown(!shown)}
				>
					<Icon of={shown ? HideIcon : RevealIcon} small />
				</button>
			)}
			{off && row.state === "omit" && <DefaultNote row={row} />}
		</span>
	);
}

/** A value in a map has no label of its own beside it. */
export function ownLabel(row: Row): string | undefined {
	return row.role === "entry" ? `Value of ${visible(row.name)}` : undefined;
}

/** What a field without a value says. */
export function placeholder(row: Row): string {
	if (row.state === "null") return "null";
	if (row.state === "empty") return '""';
	if (row.state !== "omit") return "";
	if (row.required) return "required";
	const example = row.shape.examples[0];
	return row.shape.default === null && example !== undefined
		? `omit, for example ${visible(plain(example))}`
		: "omit";
}
