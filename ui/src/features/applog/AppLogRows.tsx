import { useId, useState } from "react";
import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { Visible } from "../../components/Visible";
import type { AppLogLevel, AppLogLine } from "../../ipc/secrets";
import { appLogText } from "../../model/appLog";
import { clock } from "../../model/format";
import { visible } from "../../model/visible";
import { ROW, useWindow } from "../timeline/useWindow";
import css from "./AppLog.module.css";

interface Props {
	lines: readonly AppLogLine[];
	follow: boolean;
	onFollow: (follow: boolean) => void;
}

/** Lines, one a row; the chosen one in full below them. */
export function AppLogRows({ lines, follow, onFollow }: Props) {
	const id = useId();
	const list = useWindow(lines.length, follow, onFollow);
	const [chosen, setChosen] = useState<AppLogLine | null>(null);
	const place = chosen ? lines.findIndex((line) => same(line, chosen)) : -1;
	const select = (to: number) => {
		const index = Math.max(0, Math.min(lines.length - 1, to));
		setChosen(lines[index] ?? null);
		list.reveal(index);
	};
	const moves: Record<string, number> = {
		ArrowDown: place + 1,
		ArrowUp: place < 0 ? lines.length - 1 : place - 1,
		PageDown: place + list.fit,
		PageUp: place - list.fit,
		Home: 0,
		End: lines.length - 1,
	};
	return (
		<>
			<div
				ref={list.ref}
				className={css.rows}
				role="grid"
				aria-label="Lines of the app log"
				aria-rowcount={lines.length + 1}
				aria-activedescendant={place >= list.from && place < list.to ? `${id}${place}` : undefined}
				tabIndex={0}
				onScroll={list.onScroll}
				onKeyDown={(event) => {
					if (event.key === "Escape" && chosen) {
						event.preventDefault();
						setChosen(null);
					}
					const to = moves[event.key];
					if (to === undefined) return;
					event.preventDefault();
					if (to < lines.length - 1) onFollow(false);
					select(to);
				}}
			>
				<div className={css.head} role="row" aria-rowindex={1}>
					<span role="columnheader">Time</span>
					<span role="columnheader">Level</span>
					<span role="columnheader">Part</span>
					<span role="columnheader">Line</span>
				</div>
				<div style={{ height: list.height, position: "relative" }} role="rowgroup">
					{lines.slice(list.from, list.to).map((line, i) => (
						<Row
							// biome-ignore lint/suspicious/noArrayIndexKey: a row is a place in the window, whatever line is there
							key={list.from + i}
							id={`${id}${list.from + i}`}
							line={line}
							index={list.from + i}
							top={list.topOf(list.from + i)}
							selected={list.from + i === place}
							onSelect={() => select(list.from + i)}
						/>
					))}
				</div>
			</div>
			{chosen && <Whole line={chosen} />}
		</>
	);
}

/** Lines are read anew each time: what they say is all that tells them apart. */
function same(a: AppLogLine, b: AppLogLine): boolean {
	return a.at === b.at && a.text === b.text && a.target === b.target;
}

const TONES: Record<AppLogLevel, string> = {
	error: "sev-error",
	warn: "sev-warning",
	info: "sub",
	debug: "dim",
	trace: "dim",
};

interface RowProps {
	id: string;
	line: AppLogLine;
	index: number;
	top: number;
	selected: boolean;
	onSelect: () => void;
}

function Row({ id, line, index, top, selected, onSelect }: RowProps) {
	const { at, level, target, text } = line;
	const said = visible(text.slice(0, 500));
	return (
		<div
			id={id}
			className={`${css.row} ${level === "error" ? css.error : ""} ${selected ? css.on : ""}`}
			role="row"
			aria-rowindex={index + 2}
			aria-selected={selected}
			style={{ transform: `translateY(${top}px)`, height: ROW }}
			data-testid={TESTID.appLogLine}
			data-level={level}
			onClick={onSelect}
		>
			<span role="gridcell" className="mono">
				{clock(at * 1000)}
			</span>
			<span role="gridcell" className={TONES[level]}>
				{level}
			</span>
			<span role="gridcell" className="mono sub trunc" title={visible(target)}>
				{visible(target)}
			</span>
			<span role="gridcell" className="mono trunc" title={said}>
				{said}
			</span>
		</div>
	);
}

/** A line with all of its own lines: an error may bring its causes. */
function Whole({ line }: { line: AppLogLine }) {
	return (
		<section className={css.whole} aria-label="Chosen line" data-testid={TESTID.appLogWhole}>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and holds nothing else that takes the focus */}
			<pre tabIndex={0}>
				<Visible text={line.text} lines />
			</pre>
			<CopyButton label="Copy this line" text={() => appLogText([line])} />
		</section>
	);
}
