import { useEffect, useMemo, useState } from "react";
import { TESTID } from "../../app/testids";
import { Visible } from "../../components/Visible";
import type { Callable } from "../../model/callable";
import { count, plural } from "../../model/format";
import { type Note, notesInSlices, notesOn, SLICE } from "../../model/practices";
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
	const notes = useNotes(calls);
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

/** A long list is looked through in slices, so that the window does not stand still. */
function useNotes(calls: readonly Callable[]): readonly Note[] {
	const now = useMemo(() => (calls.length > SLICE ? null : notesOn(calls)), [calls]);
	const [later, setLater] = useState<{ of: readonly Callable[]; notes: Note[] } | null>(null);
	useEffect(() => {
		if (calls.length <= SLICE) return;
		let live = true;
		const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
		void notesInSlices(calls, pause, () => !live).then((notes) => {
			if (notes && live) setLater({ of: calls, notes });
		});
		return () => {
			live = false;
		};
	}, [calls]);
	return now ?? (later?.of === calls ? later.notes : NONE);
}

const NONE: readonly Note[] = [];
