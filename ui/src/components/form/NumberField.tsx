import type { Row } from "../../model/form/rows";
import { shown } from "../../model/form/states";
import { text } from "../../model/json/tree";
import { beyondDouble } from "../exactTags";
import { useForm } from "./context";
import { DefaultNote } from "./DefaultNote";
import css from "./Form.module.css";
import { ownLabel, placeholder } from "./TextField";

/** A number, digit for digit. What is none is sent as a string, and tagged as one. */
export function NumberField({ row, bad }: { row: Row; bad: boolean }) {
	const { draft, idOf } = useForm();
	const value = shown(row.value, text);
	const off = row.state !== "value";
	return (
		<span className={`fld ${css.field} ${bad ? "bad" : ""} ${off ? css.off : ""}`}>
			<input
				id={idOf(row)}
				aria-label={ownLabel(row)}
				inputMode={row.inner.kind === "integer" ? "numeric" : "decimal"}
				value={value}
				placeholder={placeholder(row)}
				aria-required={row.required}
				aria-invalid={bad}
				autoComplete="off"
				spellCheck={false}
				onChange={(event) => draft.edit((edits) => edits.number(row, event.target.value))}
			/>
			{row.value?.kind === "string" && (
				<span className="tag err" title="This is no JSON number: it is sent as a string">
					string
				</span>
			)}
			{row.value?.kind === "number" && beyondDouble(value) && (
				<span className="tag" title="Beyond 2^53: kept digit for digit">
					exact
				</span>
			)}
			<DefaultNote row={row} />
		</span>
	);
}
