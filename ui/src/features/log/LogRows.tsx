import { useMemo } from "react";
import { TESTID } from "../../app/testids";
import { LineGrid, type LineLook } from "../../components/LineGrid";
import { useStore } from "../../components/useStore";
import { clock } from "../../model/format";
import { type LogLine, rank } from "../../model/logStore";
import type { SessionStore } from "../../model/sessionStore";
import { visible } from "../../model/visible";

interface Props {
	lines: readonly LogLine[];
	session: SessionStore;
	follow: boolean;
	onFollow: (follow: boolean) => void;
}

/** From here on a level is a warning, and an error. */
const WARNS = rank("warning");
const FAILS = rank("error");

const COLUMNS = [
	{ name: "#", width: "40px", right: true },
	{ name: "Time", width: "92px" },
	{ name: "Level", width: "76px" },
	{ name: "Logger", width: "minmax(60px, 140px)" },
	{ name: "Message", width: "minmax(0, 1fr)" },
];

/** Messages, one a row; what is selected is selected in the timeline too. */
export function LogRows({ lines, session, follow, onFollow }: Props) {
	useStore(session);
	const seq = session.selected?.row.seq ?? null;
	// Not at each step of a scroll: a log may be long.
	const chosen = useMemo(() => lines.findIndex((line) => line.seq === seq), [lines, seq]);
	return (
		<LineGrid
			label="Log messages"
			columns={COLUMNS}
			lines={lines}
			keyOf={(line) => line.seq}
			look={look}
			chosen={chosen}
			onChoose={(index) => {
				const line = lines[index];
				if (line) void session.selectSeq(line.seq);
			}}
			follow={follow}
			onFollow={onFollow}
		/>
	);
}

function look({ seq, at_us, level, logger, text }: LogLine): LineLook {
	const at = rank(level);
	const tone = at >= FAILS ? "sev-error" : at >= WARNS ? "sev-warning" : at < 0 ? "k-malformed" : "sub";
	const said = visible(text.slice(0, 2000));
	return {
		data: { "data-testid": TESTID.logLine, "data-seq": seq, "data-level": level },
		cells: [
			<span key="#" className="mono dim">
				{seq}
			</span>,
			<span key="at" className="mono">
				{clock(at_us)}
			</span>,
			<span
				key="level"
				className={tone}
				title={at < 0 ? "Our check: not a level of the specification" : undefined}
			>
				{level === "" ? "no level" : visible(level)}
			</span>,
			<span key="logger" className="mono sub" title={visible(logger)}>
				{visible(logger)}
			</span>,
			<span key="text" className="mono" title={said}>
				{said}
			</span>,
		],
	};
}
