import { memo } from "react";
import { TESTID } from "../../app/testids";
import { AnsiText } from "../../components/AnsiText";
import { Visible } from "../../components/Visible";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import { bytes, clock, count, exactTime, gap } from "../../model/format";
import { direction, durationWord, kindWord, methodWord, rowName, spans, tint } from "../../model/rows";
import { visible } from "../../model/visible";
import css from "./Timeline.module.css";
import { mark, type Stretch } from "./waterfall";

interface Props {
	row: RecordRow;
	/** Place in the view. */
	index: number;
	/** Place on the screen, pixels. */
	top: number;
	selected: boolean;
	/** It is the other half of the selected pair. */
	peer: boolean;
	stretch: Stretch | null;
	onSelect: (index: number) => void;
}

export const Row = memo(function Row({ row, index, top, selected, peer, stretch, onSelect }: Props) {
	const way = direction(row);
	const colour = tint(row);
	const look = [
		css.row,
		colour === "error" && css.error,
		colour === "malformed" && css.malformed,
		peer && css.peer,
		selected && css.selected,
	];
	return (
		<div
			id={`row-${row.seq}`}
			role="row"
			aria-rowindex={index + 2}
			aria-selected={selected}
			aria-label={rowName(row)}
			className={look.filter(Boolean).join(" ")}
			style={{ transform: `translateY(${top}px)` }}
			data-testid={TESTID.timelineRow}
			data-seq={row.seq}
			data-kind={row.kind}
			onClick={() => onSelect(index)}
		>
			<span role="gridcell" className="num dim">
				{count(row.seq)}
			</span>
			<span role="gridcell" className="mono" title={exactTime(row.at_us)}>
				{clock(row.at_us)}
			</span>
			<span role="gridcell" className="num dim">
				{gap(row.gap_us)}
			</span>
			<span role="gridcell" className={css.arrow} title={way.words}>
				<span className={way.className}>{way.arrow}</span>
			</span>
			<span role="gridcell" className={`k-${row.kind}`}>
				{kindWord(row.kind)}
			</span>
			{spans(row) ? <SpanningText row={row} /> : <Cells row={row} />}
			<span role="gridcell" className="num dim">
				{row.size > 0 && bytes(row.size)}
			</span>
			<span role="gridcell" className={css.waterfall}>
				{stretch && <Span row={row} stretch={stretch} />}
			</span>
		</div>
	);
});

/** Rows without method and id: their text takes the room of both. */
function SpanningText({ row }: { row: RecordRow }) {
	return (
		<span role="gridcell" className={`mono ${css.spanning}`} title={visible(row.summary)}>
			{row.kind === "stderr" ? <AnsiText text={row.summary} /> : <Visible text={row.summary} />}
			{row.kind === "malformed" && <span className="dim"> · not JSON-RPC</span>}
			<Flags row={row} />
		</span>
	);
}

function Cells({ row }: { row: RecordRow }) {
	const answered = row.reply_to !== null;
	return (
		<>
			<span role="gridcell" className={answered ? "mono dim" : "mono"} title={visible(row.method ?? "")}>
				{methodWord(row)}
			</span>
			<span role="gridcell" className="mono sub" title={visible(row.summary)}>
				<Visible text={row.summary} />
				<Flags row={row} />
			</span>
			<span role="gridcell" className="num" title={row.id ?? ""}>
				{visible(row.id ?? "")}
			</span>
			<span role="gridcell" className="num">
				{durationWord(row)}
			</span>
		</>
	);
}

/** Marks that are worth a word in the row. The others show in the detail. */
function Flags({ row }: { row: RecordRow }) {
	return row.flags
		.filter((flag) => flag !== "noise" && flag !== "crash")
		.map((flag) => (
			<span key={flag} className={`tag warn ${css.flag}`}>
				{flag}
			</span>
		));
}

function Span({ row, stretch }: { row: RecordRow; stretch: Stretch }) {
	const { left, width, look } = mark(row, stretch);
	return (
		<i
			className={css[look]}
			style={width > 0 ? { left: `${left}%`, width: `${width}%` } : { left: `${left}%` }}
		/>
	);
}
