import type { ReactNode } from "react";
import type { Row } from "../../model/form/rows";
import { visible } from "../../model/visible";
import { Icon } from "../Icon";
import { CloseIcon, PlusIcon } from "../icons";
import { Control } from "./Control";
import { useForm } from "./context";
import css from "./Form.module.css";

/** Keys and values. A key that is there twice is sent twice, and said. */
export function MapField({ row, entries }: { row: Row; entries: readonly Row[] }) {
	const { draft } = useForm();
	const add = (
		<button
			type="button"
			className="btn ghost sm ico"
			aria-label={`Add an entry to ${row.name}`}
			title="Add an entry"
			onClick={() => draft.edit((edits) => edits.add(row))}
		>
			<Icon of={PlusIcon} small />
		</button>
	);
	return (
		<div className={css.map}>
			{entries.map((entry) => (
				<Entry key={entry.id} entry={entry}>
					{entry.index === entry.count - 1 && add}
				</Entry>
			))}
			{entries.length === 0 && (
				<div className={css.pair}>
					<span className={css.count}>{row.value?.members.length === 0 ? "{}" : ""}</span>
					{add}
				</div>
			)}
		</div>
	);
}

function Entry({ entry, children }: { entry: Row; children: ReactNode }) {
	const { draft, failuresOf } = useForm();
	const failures = failuresOf(entry).filter((failure) => !failure.waved);
	const said = [
		...(entry.repeated ? ["this key is there before"] : []),
		...failures.map(({ problem }) => problem.message),
	];
	return (
		<div data-row={entry.id} data-bad={said.length > 0 ? "" : undefined}>
			<div className={css.pair}>
				<span className={`fld ${css.field} ${entry.repeated ? "bad" : ""}`}>
					<input
						value={entry.name}
						placeholder="key"
						aria-label={`Key ${entry.index + 1}`}
						aria-invalid={entry.repeated}
						spellCheck={false}
						onChange={(event) => draft.edit((edits) => edits.rename(entry, event.target.value))}
					/>
				</span>
				<Control row={entry} entries={[]} bad={failures.length > 0} />
				<button
					type="button"
					className="btn ghost sm ico"
					aria-label={`Remove ${visible(entry.name)}`}
					onClick={() => draft.edit((edits) => edits.removeAt(entry))}
				>
					<Icon of={CloseIcon} small />
				</button>
				{children}
			</div>
			{said.length > 0 && <p className={css.hint}>Our check: {visible(said.join("; "))}</p>}
		</div>
	);
}
