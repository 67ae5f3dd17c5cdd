import { useState } from "react";
import { isJson } from "../../model/form/edit";
import type { Row } from "../../model/form/rows";
import { useForm } from "./context";
import { DefaultNote } from "./DefaultNote";
import css from "./Form.module.css";
import { ownLabel, placeholder } from "./TextField";

const MAX_LINES = 8;

/** The part's JSON text. What is no JSON yet waits here and is not in the frame: a broken part would break all of it. */
export function JsonField({ row, bad }: { row: Row; bad: boolean }) {
	const { draft, idOf } = useForm();
	const [waiting, setWaiting] = useState<{ typed: string; beside: string | null } | null>(null);
	const raw = row.value?.raw ?? null;
	// What came from elsewhere in the meantime wins.
	const typed = waiting && waiting.beside === raw ? waiting.typed : null;
	const value = typed ?? raw ?? "";
	const lines = Math.min(MAX_LINES, value.split("\n").length);
	const id = idOf(row);
	return (
		<span className={css.json}>
			<span
				className={`fld ${css.field} ${bad || typed !== null ? "bad" : ""} ${row.value ? "" : css.off} ${lines > 1 ? css.tall : ""}`}
			>
				<textarea
					id={id}
					aria-label={ownLabel(row)}
					rows={lines}
					value={value}
					readOnly={row.control === "twice"}
					placeholder={row.control === "twice" ? "" : `${placeholder(row)} · JSON`}
					aria-invalid={bad || typed !== null}
					aria-describedby={typed === null ? undefined : `${id}-json`}
					spellCheck={false}
					onChange={(event) => {
						const text = event.target.value;
						if (text.trim() === "" && row.role === "property") {
							setWaiting(null);
							draft.edit((edits) => edits.omit(row));
						} else if (isJson(text)) {
							setWaiting(null);
							draft.edit((edits) => edits.raw(row, text.trim()));
						} else setWaiting({ typed: text, beside: raw });
					}}
				/>
				<DefaultNote row={row} />
			</span>
			{typed !== null && (
				<span id={`${id}-json`} className={css.hint} role="status">
					Not JSON, so not in the frame{raw === null ? "" : "; that has the value before"}. Text needs quotes.
				</span>
			)}
		</span>
	);
}
