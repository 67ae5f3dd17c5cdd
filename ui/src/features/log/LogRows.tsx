import { useId, useMemo } from "react";
import { TESTID } from "../../app/testids";
import { useStore } from "../../components/useStore";
import { clock } from "../../model/format";
import { type LogLine, rank } from "../../model/logStore";
import type { SessionStore } from "../../model/sessionStore";
import { visible } from "../../model/visible";
import { ROW, useWindow } from "../timeline/useWindow";
import css from "./Log.module.css";

interface Props {
	lines: readonly LogLine[];
	session: SessionStore;
	follow: boolean;
	onFollow: (follow: boolean) => void;
}

/** From here on a level is a warning, and an error. */
const WARNS = rank("warning");
const FAILS = rank("error");

/** Messages, one a row; what is selected is selected in the timeline too. */
export function LogRows({ lines, session, follow, onFollow }: Props) {
	useStore(session);
	const id = useId();
	const list = useWindow(lines.length, follow, onFollow);
	const seq = session.selected?.row.seq ?? null;
	// Not at each step of a scroll: a log may be long.
	const place = useMemo(() => lines.findIndex((line) => line.seq === seq), [lines, seq]);
	const select = (to: number) => {
		const line = lines[Math.max(0, Math.min(lines.length - 1, to))];
		if (!line) return;
		void session.selectSeq(line.seq);
		list.reveal(lines.indexOf(line));
	};
	const moves: Record<string, number> = {
		ArrowDown: place + 1,
		ArrowUp: place < 0 ? lines.length - 1 : place - 1,
		Home: 0,
		End: lines.length - 1,
	};
	return (
		<div
			ref={list.ref}
			className={css.rows}
			role="grid"
			aria-label="Log messages"
			aria-rowcount={lines.length + 1}
			aria-activedescendant={place >= 0 ? `${id}${seq}` : undefined}
			tabIndex={0}
			onScroll={list.onScroll}
			onKeyDown={(event) => {
				const to = moves[event.key];
				if (to === undefined) return;
				event.preventDefault();
				if (event.key !== "ArrowDown" && event.key !== "End") onFollow(false);
				select(to);
			}}
		>
			<div className={css.head} role="row" aria-rowindex={1}>
				<span role="columnheader">#</span>
				<span role="columnheader">Time</span>
				<span role="columnheader">Level</span>
				<span role="columnheader">Logger</span>
				<span role="columnheader">Message</span>
			</div>
			<div style={{ height: list.height, position: "relative" }}>
				{lines.slice(list.from, list.to).map((line, i) => (
					<Row
						key={line.seq}
						id={`${id}${line.seq}`}
						line={line}
						index={list.from + i}
						top={list.topOf(list.from + i)}
						selected={line.seq === seq}
						onSelect={() => select(list.from + i)}
					/>
				))}
			</div>
		</div>
	);
}

interface RowProps {
	id: string;
	line: LogLine;
	index: number;
	top: number;
	selected: boolean;
	onSelect: () => void;
}

function Row({ id, line, index, top, selected, onSelect }: RowProps) {
	const at = rank(line.level);
	const tone = at >= FAILS ? "sev-error" : at >= WARNS ? "sev-warning" : at < 0 ? "k-malformed" : "sub";
	return (
		<div
			id={id}
			className={`${css.row} ${selected ? css.on : ""}`}
			role="row"
			aria-rowindex={index + 2}
			aria-selected={selected}
			style={{ transform: `translateY(${top}px)`, height: ROW }}
			data-testid={TESTID.logLine}
			data-seq={line.seq}
			data-level={line.level}
			onClick={onSelect}
		>
			<span role="gridcell" className="num mono dim">
				{line.seq}
			</span>
			<span role="gridcell" className="mono">
				{clock(line.at_us)}
			</span>
			<span
				role="gridcell"
				className={`trunc ${tone}`}
				title={at < 0 ? "Our check: not a level of the specification" : undefined}
			>
				{line.level === "" ? "no level" : visible(line.level)}
			</span>
			<span role="gridcell" className="mono sub trunc" title={visible(line.logger)}>
				{visible(line.logger)}
			</span>
			<span role="gridcell" className="mono trunc" title={visible(line.text.slice(0, 2000))}>
				{visible(line.text.slice(0, 2000))}
			</span>
		</div>
	);
}
