import { useEffect, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { FilterIcon, MaximiseIcon, MinimiseIcon, TailIcon } from "../../components/icons";
import { useKeys } from "../../components/keys";
import { count } from "../../model/format";
import type { SessionStore } from "../../model/sessionStore";
import css from "./Timeline.module.css";

/** Pause in typing after which the filter is applied, milliseconds. */
const PAUSE = 120;

interface Props {
	session: SessionStore;
	total: number;
	logTotal: number;
	maximised: boolean;
	onMaximise: () => void;
}

export function FilterBar({ session, total, logTotal, maximised, onMaximise }: Props) {
	const input = useRef<HTMLInputElement>(null);
	const { text, setText, apply } = useFilterText(session);
	useKeys({
		"/": () => {
			input.current?.focus();
			input.current?.select();
			return true;
		},
	});
	return (
		<div className="bar">
			<label className={`fld ${css.filter} ${session.problem ? "bad" : ""}`}>
				<Icon of={FilterIcon} small />
				<span className="vh">Filter</span>
				<input
					ref={input}
					value={text}
					placeholder="dir: kind: method: id: status: size:>1k dur:>100ms has:late or text"
					spellCheck={false}
					autoComplete="off"
					data-testid={TESTID.filterInput}
					onChange={(event) => setText(event.target.value)}
					onKeyDown={(event) => {
						if (event.key === "Enter") apply(text);
						if (event.key !== "Escape") return;
						event.preventDefault();
						if (text === "") event.currentTarget.blur();
						else apply("");
					}}
				/>
				<kbd>/</kbd>
			</label>
			<span className={`mono dim ${css.count}`} data-testid={TESTID.filterCount}>
				{session.filter === "" ? count(logTotal) : `${count(total)} of ${count(logTotal)}`}
			</span>
			<button
				type="button"
				className={`btn ghost sm ${session.follow ? "on" : ""}`}
				aria-pressed={session.follow}
				title="Follow the tail (f)"
				data-testid={TESTID.tail}
				onClick={() => session.setFollow(!session.follow)}
			>
				<Icon of={TailIcon} small />
				Tail
			</button>
			<button
				type="button"
				className="btn ghost sm ico"
				aria-label={maximised ? "Restore timeline" : "Maximise timeline"}
				title={`${maximised ? "Restore" : "Maximise"} timeline (Shift T)`}
				onClick={onMaximise}
			>
				<Icon of={maximised ? MinimiseIcon : MaximiseIcon} small />
			</button>
		</div>
	);
}

/** The text as typed; it becomes the session's filter after a pause. */
function useFilterText(session: SessionStore) {
	const [text, setText] = useState(session.filter);
	const [known, setKnown] = useState(session.filter);
	if (session.filter !== known) {
		// Changed elsewhere, for instance by Clear.
		setKnown(session.filter);
		if (session.filter !== text.trim()) setText(session.filter);
	}
	const apply = (next: string) => {
		setText(next);
		if (next.trim() !== session.filter) void session.open(next.trim());
	};
	useEffect(() => {
		if (text.trim() === session.filter) return;
		const timer = setTimeout(() => void session.open(text.trim()), PAUSE);
		return () => clearTimeout(timer);
	}, [text, session]);
	return { text, setText, apply };
}
