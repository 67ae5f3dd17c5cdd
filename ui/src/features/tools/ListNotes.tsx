import { useMemo, useState } from "react";
import { TESTID } from "../../app/testids";
import { Visible } from "../../components/Visible";
import type { Callable } from "../../model/callable";
import { count, plural } from "../../model/format";
import { notesOn } from "../../model/practices";
import css from "./ListNotes.module.css";

interface Props {
	calls: readonly Callable[];
	/** Chooses the item with this name. */
	onChoose: (name: string) => void;
}

/** Notes that are drawn: whoever has more begins with these. */
const MOST = 200;

/** Good practice, below a list: folded, since nothing of it is wrong. */
export function ListNotes({ calls, onChoose }: Props) {
	const notes = useMemo(() => notesOn(calls), [calls]);
	const [open, setOpen] = useState(false);
	if (notes.length === 0) return null;
	return (
		<details
			className={css.notes}
			data-testid={TESTID.listNotes}
			onToggle={(event) => setOpen(event.currentTarget.open)}
		>
			<summary>{plural(notes.length, "note")} on this list</summary>
			<ul>
				{(open ? notes.slice(0, MOST) : []).map(({ name, text }) => (
					<li key={`${name} ${text}`}>
						{name !== "" && (
							<button type="button" className={`mono ${css.name}`} onClick={() => onChoose(name)}>
								<Visible text={name} />
							</button>
						)}{" "}
						<Visible text={text} />
					</li>
				))}
				{notes.length > MOST && <li className="dim">{count(notes.length - MOST)} more like these</li>}
			</ul>
		</details>
	);
}
