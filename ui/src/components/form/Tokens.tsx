import { useRef, useState } from "react";
import type { Row } from "../../model/form/rows";
import { tokenRaw } from "../../model/form/states";
import { text } from "../../model/json/tree";
import { visible } from "../../model/visible";
import { Icon } from "../Icon";
import { CloseIcon } from "../icons";
import { useForm } from "./context";
import { DefaultNote } from "./DefaultNote";
import css from "./Form.module.css";
import { placeholder } from "./TextField";

/** A list of scalars. Enter adds what is typed, Backspace in the empty field takes the last one back for editing. */
export function Tokens({ row, bad }: { row: Row; bad: boolean }) {
	const { draft, idOf } = useForm();
	const [typed, setTyped] = useState("");
	const input = useRef<HTMLInputElement>(null);
	const items = row.value?.kind === "array" ? row.value.items : [];
	const commit = () => {
		if (typed === "") return;
		setTyped("");
		draft.edit((edits) => edits.addToken(row, tokenRaw(row, typed)));
	};
	const remove = (index: number) => {
		draft.edit((edits) => edits.removeToken(row, index));
		input.current?.focus();
	};
	const empty =
		items.length === 0 && row.state === "value" ? "[]" : items.length === 0 ? placeholder(row) : "";
	return (
		<span
			className={`fld ${css.field} ${css.tokens} ${bad ? "bad" : ""} ${row.state === "value" ? "" : css.off}`}
		>
			{items.map((item, i) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: tokens may repeat, their place is all they have
				<span key={i} className="chip" title={visible(item.raw)}>
					<span className="trunc">{visible(label(row, text(item) ?? item.raw, item.kind))}</span>
					<button
						type="button"
						className={css.untoken}
						aria-label={`Remove ${visible(text(item) ?? item.raw)}`}
						tabIndex={-1}
						onClick={() => remove(i)}
					>
						<Icon of={CloseIcon} small />
					</button>
				</span>
			))}
			<input
				ref={input}
				id={idOf(row)}
				value={typed}
				placeholder={empty}
				aria-label={`${row.name}, ${items.length} items, add`}
				spellCheck={false}
				autoComplete="off"
				onChange={(event) => setTyped(event.target.value)}
				onBlur={commit}
				onKeyDown={(event) => {
					if (event.key === "Enter") {
						if (typed !== "") event.preventDefault();
						commit();
					} else if (event.key === "Backspace" && typed === "") {
						const last = items.at(-1);
						if (!last) return;
						event.preventDefault();
						setTyped(text(last) ?? last.raw);
						remove(items.length - 1);
					}
				}}
			/>
			<DefaultNote row={row} />
		</span>
	);
}

/** A string among other types shows its quotes. */
function label(row: Row, shown: string, kind: string): string {
	const strings = row.inner.item?.().kind === "string" || row.inner.kind === "multi";
	return kind === "string" && (!strings || shown === "") ? JSON.stringify(shown) : shown;
}
