import { type RefObject, useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { SearchIcon } from "../../components/icons";
import { useKeys } from "../../components/keys";
import { useStore } from "../../components/useStore";
import { count, duration, plural } from "../../model/format";
import type { SearchStore } from "../../model/search";
import type { SessionList } from "../../model/sessionList";
import css from "./Sessions.module.css";

/** Pause in typing after which the list is asked for, milliseconds. */
const PAUSE = 120;

interface Props {
	list: SessionList;
	search: SearchStore;
	input: RefObject<HTMLInputElement | null>;
	/** Leaves the field. */
	onLeave: () => void;
}

/** One line for both: what is typed chooses sessions at once, and Enter looks for it in all their records. */
export function QueryBar({ list, search, input, onLeave }: Props) {
	useStore(list);
	useStore(search);
	const [text, setText] = useState(list.query);
	const [asked, setAsked] = useState(list.query);
	if (list.query !== asked) {
		setAsked(list.query);
		setText(list.query);
	}
	useEffect(() => {
		if (text.trim() === asked) return;
		const timer = setTimeout(() => void list.find(text.trim()), PAUSE);
		return () => clearTimeout(timer);
	}, [text, asked, list]);
	useKeys({
		"/": () => {
			input.current?.focus();
			input.current?.select();
			return true;
		},
	});
	const query = text.trim();
	const start = () => {
		if (query === "") return;
		if (query !== list.query) void list.find(query);
		void search.start(query);
	};
	return (
		<div className="bar">
			<label className={`fld ${css.query} ${list.problem ? "bad" : ""}`}>
				<Icon of={SearchIcon} small />
				<span className="vh">Filter and search sessions</span>
				<input
					ref={input}
					value={text}
					placeholder="server: origin: rev: tag: has:crash after:2026-11-01 or text"
					spellCheck={false}
					autoComplete="off"
					aria-invalid={list.problem !== null}
					data-testid={TESTID.sessionQuery}
					onChange={(event) => setText(event.target.value)}
					onKeyDown={(event) => {
						if (event.key === "Enter") start();
						if (event.key === "ArrowDown") {
							event.preventDefault();
							onLeave();
						}
						if (event.key !== "Escape") return;
						event.preventDefault();
						if (search.running) void search.stop();
						else if (search.query !== null) search.clear();
						else if (text !== "") setText("");
						else onLeave();
					}}
				/>
				<kbd>/</kbd>
			</label>
			<span className={`dim xs trunc ${css.count}`} role="status" data-testid={TESTID.sessionCount}>
				{search.query === null ? listWords(list) : searchWords(search)}
			</span>
			{search.running ? (
				<button
					type="button"
					className="btn sm"
					data-testid={TESTID.stopSearch}
					onClick={() => void search.stop()}
				>
					Stop <kbd>Esc</kbd>
				</button>
			) : (
				query !== "" &&
				query !== search.query && (
					<button type="button" className="btn sm" data-testid={TESTID.startSearch} onClick={start}>
						Search all records <kbd>↵</kbd>
					</button>
				)
			)}
		</div>
	);
}

function listWords(list: SessionList): string {
	if (!list.ready) return "";
	return list.query === "" || list.problem
		? plural(list.kept, "session")
		: `${count(list.matching)} of ${plural(list.kept, "session")}`;
}

function searchWords(search: SearchStore): string {
	const found = `${count(search.hits)} ${search.hits === 1 ? "match" : "matches"} in ${plural(search.groups.length, "session")}`;
	if (search.running)
		return `${found}, looking through ${count(search.sessions)} of ${count(search.ofSessions)}`;
	const over = `${duration(search.tookMs * 1000)} over ${plural(search.records, "record")}`;
	if (search.stopped) return `${found}, stopped after ${over}`;
	return search.limited ? `The first ${found}, ${over}` : `${found}, ${over}`;
}
