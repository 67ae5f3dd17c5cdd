import type { Row } from "../../model/form/rows";
import { plural } from "../../model/format";
import { Icon } from "../Icon";
import { PlusIcon } from "../icons";
import { useForm } from "./context";
import css from "./Form.module.css";

/** The row above the fields of an object or the rows of an array: how much is there, and more of it. */
export function GroupHead({ row }: { row: Row }) {
	const { draft, idOf } = useForm();
	const array = row.inner.kind === "rows";
	const there = row.state === "value";
	const add = () => draft.edit((edits) => (array ? edits.add(row) : edits.value(row)));
	return (
		<>
			{(row.choices.length === 0 || !there || array) && (
				<output id={idOf(row)} className={`trunc ${there ? css.count : `fld ${css.field} ${css.off}`}`}>
					{there ? contents(row) : row.state === "null" ? "null" : row.required ? "required" : "omit"}
				</output>
			)}
			{(array || !there) && (
				<button
					type="button"
					className={`btn sm ${there ? "ghost" : ""}`}
					aria-label={array ? `Add a row to ${row.name}` : `Set ${row.name}`}
					onClick={add}
				>
					<Icon of={PlusIcon} small />
					{array ? "Row" : "Set"}
				</button>
			)}
		</>
	);
}

function contents(row: Row): string {
	if (row.inner.kind === "rows") return plural(row.value?.items.length ?? 0, "row");
	const declared = row.inner.properties();
	const set = declared.filter(({ name }) => row.value?.members.some(({ key }) => key === name)).length;
	return declared.length === 0 ? "{}" : `${set} of ${declared.length} properties set`;
}
