import { Autocomplete } from "@base-ui/react/autocomplete";
import { useEffect, useState } from "react";
import type { Completion } from "../../model/completion";
import type { Row } from "../../model/form/rows";
import { text } from "../../model/json/tree";
import { visible } from "../../model/visible";
import { useForm } from "./context";
import css from "./Form.module.css";
import { MAX_LINES, ownLabel, placeholder } from "./TextField";

/** How long typing has to rest before the server is asked, milliseconds. */
const REST_MS = 200;

interface Props {
	row: Row;
	bad: boolean;
	complete: (row: Row, value: string) => Promise<Completion>;
}

/** A string with what the server offers for it below; any other string can be typed as well. */
export function Completed({ row, bad, complete }: Props) {
	const { draft, idOf } = useForm();
	const value = text(row.value) ?? "";
	const lines = value.split("\n").length;
	const [open, setOpen] = useState(false);
	const offered = useOffered(row, value, complete, open);
	const type = (next: string) => draft.edit((edits) => edits.typed(row, next));
	return (
		<Autocomplete.Root
			items={offered?.values ?? NONE}
			value={value}
			onValueChange={type}
			open={open}
			onOpenChange={setOpen}
			// The server has chosen already.
			mode="none"
			openOnInputClick
		>
			<span
				className={`fld ${css.field} ${bad ? "bad" : ""} ${row.state === "value" ? "" : css.off} ${lines > 1 ? css.tall : ""}`}
			>
				<Autocomplete.Input
					id={idOf(row)}
					// A text area keeps line breaks that are pasted.
					render={<textarea rows={Math.min(MAX_LINES, lines)} />}
					aria-label={ownLabel(row)}
					aria-required={row.required}
					aria-invalid={bad}
					placeholder={placeholder(row)}
					spellCheck={false}
					onKeyDown={(event) => {
						if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
					}}
				/>
			</span>
			<Autocomplete.Portal>
				<Autocomplete.Positioner className={css.positioner} sideOffset={2} align="start">
					<Autocomplete.Popup
						className={css.popup}
						hidden={said(offered) === null && !offered?.values.length}
					>
						<Autocomplete.List className={css.options}>
							{(one: string, i: number) => (
								<Autocomplete.Item key={`${i} ${one}`} value={one} className={css.option}>
									<span className="mono trunc">{visible(one)}</span>
								</Autocomplete.Item>
							)}
						</Autocomplete.List>
						<Autocomplete.Status className={css.menuNote}>{said(offered)}</Autocomplete.Status>
					</Autocomplete.Popup>
				</Autocomplete.Positioner>
			</Autocomplete.Portal>
		</Autocomplete.Root>
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
