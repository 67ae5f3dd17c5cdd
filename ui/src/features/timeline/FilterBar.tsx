import { useCallback, useEffect, useRef, useState } from "react";
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
	/** The filter that we asked for last: another one was set elsewhere, for instance by Clear. */
	const [asked, setAsked] = useState(session.filter);
	if (session.filter !== asked) {
		setAsked(session.filter);
		setText(session.filter);
	}
	const apply = useCallback(
		(next: string) => {
			const filter = next.trim();
			setText(next);
			if (filter === session.filter) return;
			setAsked(filter);
			void session.open(filter);
		},
		[session],
	);
	useEffect(() => {
		if (text.trim() === asked) return;
		const timer = setTimeout(() => apply(text), PAUSE);
		return () => clearTimeout(timer);
	}, [text, asked, apply]);
	return { text, setText, apply };
}
