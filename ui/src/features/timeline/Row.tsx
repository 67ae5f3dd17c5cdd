import { memo } from "react";
import { TESTID } from "../../app/testids";
import { AnsiText } from "../../components/AnsiText";
import { Visible } from "../../components/Visible";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import { bytes, type Clock, count, exactTime, gap } from "../../model/format";
import { direction, durationWord, kindWord, methodWord, rowName, spans, tint } from "../../model/rows";
import { visible } from "../../model/visible";
import type { ColumnId } from "./columns";
import { type Lead, RoundLead, RoundTag, roundWords } from "./RoundLead";
import css from "./Timeline.module.css";
import { mark, type Stretch } from "./waterfall";

interface Props {
	row: RecordRow;
	/** Place in the view, and among the rows that are not folded away. */
	index: number;
	shown: number;
	/** Place on the screen, pixels. */
	top: number;
	selected: boolean;
	/** It is the other half of the selected pair. */
	peer: boolean;
	/** Columns that are shown. */
	has: ReadonlySet<ColumnId>;
	clock: Clock;
	stretch: Stretch | null;
	/** The time, of a request that waits; null of every other row. */
	now: number | null;
	/** Where it stands in a call of several rounds. */
	lead: Lead | null;
	onSelect: (index: number) => void;
	/** Folds the rounds of its call away, or brings them back. */
	onFold: (seq: number) => void;
}

export const Row = memo(function Row(props: Props) {
	const { row, index, shown, top, selected, peer, has, clock, stretch, lead, onSelect } = props;
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
			aria-rowindex={shown + 2}
			aria-selected={selected}
			aria-label={rowName(row, lead && roundWords(lead, row.seq))}
			className={look.filter(Boolean).join(" ")}
			style={{ transform: `translateY(${top}px)` }}
			data-testid={TESTID.timelineRow}
			data-seq={row.seq}
			data-index={index}
			data-kind={row.kind}
			data-round={lead?.place.round.number}
			onClick={() => onSelect(index)}
		>
			{has.has("number") && (
				<span role="gridcell" className="num dim">
					{count(row.seq)}
				</span>
			)}
			{has.has("time") && (
				<span role="gridcell" data-column="time" className="mono" title={exactTime(row.at_us)}>
					{clock.text(row.at_us)}
				</span>
			)}
			{has.has("gap") && (
				<span role="gridcell" className="num dim">
					{gap(row.gap_us)}
				</span>
			)}
			{has.has("direction") && (
				<span role="gridcell" data-column="direction" className={css.arrow} title={way.words}>
					<span className={way.className}>{way.arrow}</span>
				</span>
			)}
			{has.has("kind") && (
				<span role="gridcell" data-column="kind" className={`k-${row.kind}`}>
					{kindWord(row.kind)}
				</span>
			)}
			{spans(row) ? <SpanningText {...props} /> : <Cells {...props} />}
			{has.has("size") && (
				<span role="gridcell" data-column="size" className="num dim">
					{row.size > 0 && bytes(row.size)}
				</span>
			)}
			{has.has("waterfall") && (
				<span role="gridcell" className={css.waterfall}>
					{stretch && <Span row={row} stretch={stretch} />}
				</span>
			)}
		</div>
	);
});

/** Rows without method and id: their text takes the room of both. */
function SpanningText({ row, lead, onFold }: Props) {
	const lifecycle = /^(opened|closed) (.*)$/s.exec(row.kind === "lifecycle" ? row.summary : "");
	return (
		<span role="gridcell" className={`mono ${css.spanning}`} title={visible(row.summary)}>
			<RoundLead lead={lead} seq={row.seq} onFold={onFold} />
			<Flags row={row} />
			{row.kind === "stderr" ? (
				<AnsiText text={row.summary} />
			) : lifecycle ? (
				<>
					<span className="dim">{lifecycle[1]}</span> <Visible text={lifecycle[2] ?? ""} />
				</>
			) : (
				<Visible text={row.summary} />
			)}
			{row.kind === "malformed" && (
				<span className="dim">
					{row.flags.includes("noise") ? " · not JSON-RPC, log to stderr" : " · not JSON-RPC"}
				</span>
			)}
		</span>
	);
}

function Cells({ row, has, now, lead, onFold }: Props) {
	const answered = row.reply_to !== null;
	const begin = <RoundLead lead={lead} seq={row.seq} onFold={onFold} />;
	return (
		<>
			{has.has("method") && (
				<span
					role="gridcell"
					data-column="method"
					className={answered ? "mono dim" : "mono"}
					title={visible(row.method ?? "")}
				>
					{begin}
					{methodWord(row)}
				</span>
			)}
			<span role="gridcell" data-column="summary" className="mono sub" title={visible(row.summary)}>
				{!has.has("method") && begin}
				<RoundTag lead={lead} seq={row.seq} />
				<Flags row={row} />
				<Visible text={row.summary} />
			</span>
			{has.has("id") && (
				<span role="gridcell" data-column="id" className="num" title={visible(row.id ?? "")}>
					{visible(row.id ?? "")}
				</span>
			)}
			{has.has("duration") && (
				<span role="gridcell" data-column="duration" className="num">
					{durationWord(row, now)}
				</span>
			)}
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
