import { useState } from "react";
import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { LineGrid, type LineLook } from "../../components/LineGrid";
import { Visible } from "../../components/Visible";
import type { AppLogLevel, AppLogLine } from "../../ipc/secrets";
import { appLogText } from "../../model/appLog";
import { clock } from "../../model/format";
import { visible } from "../../model/visible";
import css from "./AppLog.module.css";

interface Props {
	lines: readonly AppLogLine[];
	follow: boolean;
	onFollow: (follow: boolean) => void;
}

const COLUMNS = [
	{ name: "Time", width: "92px" },
	{ name: "Level", width: "52px" },
	{ name: "Part", width: "minmax(90px, 200px)" },
	{ name: "Line", width: "minmax(0, 1fr)" },
];

/** Lines, one a row; the chosen one in full below them. */
export function AppLogRows({ lines, follow, onFollow }: Props) {
	const [chosen, setChosen] = useState<AppLogLine | null>(null);
	return (
		<>
			<LineGrid
				label="Lines of the app log"
				columns={COLUMNS}
				lines={lines}
				// A row is a place in the window, whatever line is there.
				keyOf={(_, index) => index}
				look={look}
				chosen={chosen ? lines.findIndex((line) => same(line, chosen)) : -1}
				onChoose={(index) => setChosen(lines[index] ?? null)}
				onLeave={() => setChosen(null)}
				follow={follow}
				onFollow={onFollow}
			/>
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

function look({ at, level, target, text }: AppLogLine): LineLook {
	const said = visible(text.slice(0, 500));
	return {
		data: { "data-testid": TESTID.appLogLine, "data-level": level },
		error: level === "error",
		cells: [
			<span key="at" className="mono">
				{clock(at * 1000)}
			</span>,
			<span key="level" className={TONES[level]}>
				{level}
			</span>,
			<span key="target" className="mono sub" title={visible(target)}>
				{visible(target)}
			</span>,
			<span key="text" className="mono" title={said}>
				{said}
			</span>,
		],
	};
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
