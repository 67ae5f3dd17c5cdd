import type { Row } from "../../model/form/rows";
import { sameValue } from "../../model/form/variants";
import { readJson, text } from "../../model/json/tree";
import { visible } from "../../model/visible";
import { useForm } from "./context";
import css from "./Form.module.css";

/** The declared default beside a control: one click takes it; beside the value itself only the word. */
export function DefaultNote({ row }: { row: Row }) {
	const { draft } = useForm();
	const raw = row.shape.default;
	if (raw === null || raw === "null") return null;
	if (row.value) return sameValue(row.value.raw, raw) ? <span className={css.default}>default</span> : null;
	return (
		<button
			type="button"
			className={`btn ghost sm ${css.take}`}
			title="Take the default (Alt D). Left out, the server applies its own"
			onClick={() => draft.edit((edits) => edits.raw(row, raw))}
		>
			default <span className="mono trunc">{visible(plain(raw))}</span>
		</button>
	);
}

/** JSON text for the eye: a string without its quotes. */
export function plain(raw: string): string {
	return text(readJson(raw)) ?? raw;
}
