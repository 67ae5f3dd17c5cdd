import { useMemo } from "react";
import { TESTID } from "../../app/testids";
import { Visible } from "../../components/Visible";
import type { Callable } from "../../model/callable";
import { plural } from "../../model/format";
import { notesOn } from "../../model/practices";
import css from "./ListNotes.module.css";

interface Props {
	calls: readonly Callable[];
	/** Chooses the item with this name. */
	onChoose: (name: string) => void;
}

/** Good practice, below a list: folded, since nothing of it is wrong. */
export function ListNotes({ calls, onChoose }: Props) {
	const notes = useMemo(() => notesOn(calls), [calls]);
	if (notes.length === 0) return null;
	return (
		<details className={css.notes} data-testid={TESTID.listNotes}>
			<summary>{plural(notes.length, "note")} on this list</summary>
			<ul>
				{notes.map(({ name, text }) => (
					<li key={`${name} ${text}`}>
						{name !== "" && (
							<button type="button" className={`mono ${css.name}`} onClick={() => onChoose(name)}>
								<Visible text={name} />
							</button>
						)}{" "}
						<Visible text={text} />
					</li>
				))}
			</ul>
		</details>
	);
}
