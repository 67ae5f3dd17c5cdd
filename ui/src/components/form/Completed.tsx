import { useEffect, useId, useState } from "react";
import type { Completion } from "../../model/completion";
import type { Row } from "../../model/form/rows";
import { text } from "../../model/json/tree";
import { visible } from "../../model/visible";
import { useForm } from "./context";
import css from "./Form.module.css";
import { ownLabel, placeholder, TextField } from "./TextField";

/** How long typing has to rest before the server is asked, milliseconds. */
const REST_MS = 200;

interface Props {
	row: Row;
	bad: boolean;
	complete: (row: Row, value: string) => Promise<Completion>;
}

/** A string with what the server offers for it below; any other string can be typed as well. */
export function Completed(props: Props) {
	// A field of one line would drop the breaks.
	return text(props.row.value)?.includes("\n") ? (
		<TextField row={props.row} bad={props.bad} />
	) : (
		<OneLine {...props} />
	);
}

function OneLine({ row, bad, complete }: Props) {
	const { draft, idOf } = useForm();
	const list = useId();
	const value = text(row.value) ?? "";
	const [open, setOpen] = useState(false);
	const [at, setAt] = useState(-1);
	const offered = useOffered(row, value, complete, open);
	const values = offered?.values ?? NONE;
	const note = said(offered);
	const shown = open && (values.length > 0 || note !== null);
	const type = (next: string) => {
		setAt(-1);
		draft.edit((edits) => edits.typed(row, next));
	};
	const take = (one: string) => {
		type(one);
		setOpen(false);
	};
	const onKey = (event: React.KeyboardEvent): boolean => {
		const { key } = event;
		if (event.altKey || event.ctrlKey || event.metaKey) return false;
		if (key === "ArrowDown" || key === "ArrowUp") {
			setOpen(true);
			const n = values.length;
			if (shown && n > 0) setAt(key === "ArrowDown" ? (at + 1) % n : (at <= 0 ? n : at) - 1);
			return true;
		}
		if (key === "Enter") {
			const chosen = shown ? values[at] : undefined;
			if (chosen !== undefined) take(chosen);
			return true;
		}
		if (key !== "Escape" || !shown) return false;
		setOpen(false);
		return true;
	};
	return (
		<span
			className={`fld ${css.field} ${css.completed} ${bad ? "bad" : ""} ${row.state === "value" ? "" : css.off}`}
		>
			<input
				id={idOf(row)}
				role="combobox"
				aria-label={ownLabel(row)}
				aria-required={row.required}
				aria-invalid={bad}
				aria-autocomplete="list"
				aria-expanded={shown}
				aria-controls={list}
				aria-activedescendant={shown && at >= 0 ? `${list}${at}` : undefined}
				autoComplete="off"
				spellCheck={false}
				placeholder={placeholder(row)}
				value={value}
				onChange={(event) => {
					setOpen(true);
					type(event.target.value);
				}}
				onPaste={(event) => {
					const pasted = event.clipboardData.getData("text/plain");
					if (!pasted.includes("\n")) return;
					event.preventDefault();
					const { selectionStart: from, selectionEnd: to } = event.currentTarget;
					type(value.slice(0, from ?? value.length) + pasted + value.slice(to ?? value.length));
				}}
				onClick={() => setOpen(true)}
				onBlur={() => setOpen(false)}
				onKeyDown={(event) => {
					if (onKey(event)) event.preventDefault();
				}}
			/>
			<div className={css.offered} hidden={!shown}>
				<div id={list} role="listbox" aria-label={`Offered for ${visible(row.name)}`}>
					{values.map((one, i) => (
						<div
							// biome-ignore lint/suspicious/noArrayIndexKey: a server may offer the same twice
							key={i}
							id={`${list}${i}`}
							role="option"
							aria-selected={i === at}
							className="mono trunc"
							// The field keeps the focus.
							onMouseDown={(event) => {
								event.preventDefault();
								take(one);
							}}
						>
							{visible(one)}
						</div>
					))}
				</div>
				{note !== null && <p className={css.menuNote}>{note}</p>}
			</div>
		</span>
	);
}

const NONE: readonly string[] = [];

/** What there is to say beside the values. */
function said(offered: Completion | null): string | null {
	if (!offered) return null;
	if (offered.failure !== null) return `No completion. ${visible(offered.failure)}`;
	const { values, total, more } = offered;
	if (total !== null && total > values.length) return `${values.length} of ${total}`;
	return more ? `The server has more than these ${values.length}.` : null;
}

/** What the server offers for a value, once typing rests; the last answer stays until the next one is here. */
function useOffered(row: Row, value: string, complete: Props["complete"], open: boolean): Completion | null {
	const [offered, setOffered] = useState<Completion | null>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the row is drawn anew at every change; its name is what counts
	useEffect(() => {
		if (!open) return;
		let live = true;
		const timer = setTimeout(() => {
			void complete(row, value).then((completion) => live && setOffered(completion));
		}, REST_MS);
		return () => {
			live = false;
			clearTimeout(timer);
		};
	}, [row.id, value, complete, open]);
	return offered;
}
