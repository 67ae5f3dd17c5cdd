import { type KeyboardEvent, useRef } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { CloseIcon, ExportIcon, FilterIcon, MaximiseIcon, MinimiseIcon } from "../../components/icons";
import { useKeys } from "../../components/keys";
import { TailButton } from "../../components/LineTools";
import { Visible } from "../../components/Visible";
import { count } from "../../model/format";
import type { SessionStore } from "../../model/sessionStore";
import type { Settings } from "../../model/settings";
import { partsOf } from "../../model/terms";
import { visible } from "../../model/visible";
import { ColumnList } from "./ColumnList";
import type { Actions } from "./Timeline";
import css from "./Timeline.module.css";
import { type FilterText, useFilterText } from "./useFilterText";

interface Props {
	session: SessionStore;
	settings: Settings;
	total: number;
	logTotal: number;
	maximised: boolean;
	actions: Actions;
}

/** What is shown of the log, and how. */
export function FilterBar({ session, settings, total, logTotal, maximised, actions }: Props) {
	const filter = useFilterText(session);
	const maximise = maximised ? "Restore timeline" : "Maximise timeline";
	return (
		<div className="bar">
			<FilterField filter={filter} bad={session.problem !== null} />
			<span className={`mono dim ${css.count}`} data-testid={TESTID.filterCount}>
				{session.filter === "" ? count(logTotal) : `${count(total)} of ${count(logTotal)}`}
			</span>
			<span className={`dim ${css.notice}`} role="status">
				{session.notice}
			</span>
			<TailButton
				follow={session.follow}
				title="Follow the tail (f)"
				testId={TESTID.tail}
				onFollow={(follow) => session.setFollow(follow)}
			/>
			<ColumnList settings={settings} />
			<button
				type="button"
				className="btn ghost sm ico"
				aria-label="Export session"
				title="Export session as JSONL"
				onClick={actions.onExport}
			>
				<Icon of={ExportIcon} small />
			</button>
			<button
				type="button"
				className="btn ghost sm ico"
				aria-label={maximise}
				title={`${maximise} (Shift T)`}
				onClick={actions.onMaximise}
			>
				<Icon of={maximised ? MinimiseIcon : MaximiseIcon} small />
			</button>
		</div>
	);
}

/** Terms that stand as chips, and the text that is being typed. */
function FilterField({ filter, bad }: { filter: FilterText; bad: boolean }) {
	const input = useRef<HTMLInputElement>(null);
	const { chips, text } = filter;
	useKeys({
		"/": () => {
			input.current?.focus();
			input.current?.select();
			return true;
		},
	});
	const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
		if (event.key === "Enter") filter.commit();
		else if (event.key === "Backspace" && text === "" && chips.length > 0) filter.unpack();
		else if (event.key === "Escape") {
			if (text !== "") filter.type("", true);
			else if (chips.length > 0) filter.clear();
			else event.currentTarget.blur();
		} else return;
		event.preventDefault();
	};
	return (
		<div className={`fld ${css.filter} ${bad ? "bad" : ""}`}>
			<Icon of={FilterIcon} small />
			{chips.map((term) => (
				<Chip key={term} term={term} onRemove={() => filter.remove(term)} />
			))}
			<input
				ref={input}
				aria-label="Filter"
				value={text}
				placeholder="dir: kind: method: id: status: size:>1k dur:>100ms has:late or text"
				spellCheck={false}
				autoComplete="off"
				data-testid={TESTID.filterInput}
				onChange={(event) => filter.type(event.target.value)}
				onKeyDown={onKeyDown}
			/>
			<kbd>/</kbd>
		</div>
	);
}

function Chip({ term, onRemove }: { term: string; onRemove: () => void }) {
	const [key, value] = partsOf(term);
	return (
		<span className={`chip ${css.term}`} title={visible(term)} data-testid={TESTID.filterChip}>
			<b>{key}</b>
			<span className="trunc">
				<Visible text={value} />
			</span>
			<button type="button" aria-label={`Remove ${visible(term)}`} title="Remove" onClick={onRemove}>
				<Icon of={CloseIcon} small />
			</button>
		</span>
	);
}
