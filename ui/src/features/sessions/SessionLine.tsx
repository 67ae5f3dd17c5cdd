import { memo, useRef } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { PinIcon } from "../../components/icons";
import { Visible } from "../../components/Visible";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import { dotOf } from "../../model/conn";
import { bytes, count, duration, started } from "../../model/format";
import { lasted, titleOf } from "../../model/sessionList";
import { visible } from "../../model/visible";
import css from "./Sessions.module.css";

/** Which cell is being typed into. */
export type Editing = "name" | "tags";

interface Props {
	row: SessionRow;
	index: number;
	top: number;
	nowUs: number;
	utc: boolean;
	current: boolean;
	checked: boolean;
	editing: Editing | null;
	onChoose: (id: string) => void;
	onOpen: (id: string) => void;
	onCheck: (id: string, on: boolean, range: boolean) => void;
	/** Ends the typing; null gives it up. */
	onEdited: (row: SessionRow, what: Editing, text: string | null) => void;
}

/** A session as a row of the table. */
export const SessionLine = memo(function SessionLine(props: Props) {
	const { row, index, top, nowUs, utc, current, checked, editing, onChoose, onOpen, onCheck } = props;
	const label = titleOf(row);
	return (
		<div
			id={`session-${row.id}`}
			className={`${css.row} ${checked ? css.checked : ""}`}
			style={{ transform: `translateY(${top}px)` }}
			role="row"
			tabIndex={-1}
			aria-rowindex={index + 2}
			aria-selected={current}
			data-testid={TESTID.sessionLine}
			data-session={row.id}
			onClick={() => onChoose(row.id)}
			onDoubleClick={() => onOpen(row.id)}
		>
			<span role="gridcell" className={css.check}>
				<input
					type="checkbox"
					className="check"
					tabIndex={-1}
					checked={checked}
					aria-label={`Choose ${visible(label)}`}
					onClick={(event) => {
						event.stopPropagation();
						onChoose(row.id);
						onCheck(row.id, !checked, event.shiftKey);
					}}
					onChange={() => undefined}
				/>
			</span>
			<span role="gridcell" className={css.session}>
				{editing === "name" ? (
					<CellInput row={row} what="name" value={row.name ?? ""} onEdited={props.onEdited} />
				) : (
					<Title row={row} onOpen={onOpen} />
				)}
			</span>
			<span role="gridcell" className="sub">
				{row.origin}
			</span>
			<span role="gridcell" className={css.era}>
				{row.revision && (
					<span className={`era ${row.era === "legacy" ? "legacy" : ""}`} title={`${row.era ?? ""} revision`}>
						{row.revision}
					</span>
				)}
			</span>
			<span role="gridcell" className="mono">
				{started(row.started_us, nowUs, utc)}
			</span>
			<span role="gridcell" className={css.num}>
				{duration(lasted(row, nowUs))}
			</span>
			<span role="gridcell" className={css.num}>
				{count(row.frames)}
			</span>
			<span role="gridcell" className={`${css.num} ${row.errors > 0 ? "sev-error" : "dim"}`}>
				{count(row.errors)}
			</span>
			<span role="gridcell" className={`${css.num} dim`}>
				{bytes(row.bytes)}
			</span>
			<Ended row={row} />
			<span role="gridcell" className={css.tags}>
				{editing === "tags" ? (
					<CellInput row={row} what="tags" value={row.tags.join(" ")} onEdited={props.onEdited} />
				) : (
					row.tags.map((tag) => (
						<span key={tag} className="tag">
							{visible(tag)}
						</span>
					))
				)}
			</span>
		</div>
	);
});

function Title({ row, onOpen }: { row: SessionRow; onOpen: (id: string) => void }) {
	const number = <span className="dim mono">#{row.number}</span>;
	return (
		<>
			{row.pinned && (
				<span className={css.pin} role="img" aria-label="pinned" title="Pinned: no retention deletes it">
					<Icon of={PinIcon} small />
				</span>
			)}
			<button
				type="button"
				className={`trunc ${css.title}`}
				tabIndex={-1}
				title={`Open ${visible(titleOf(row))}: ${visible(row.target)}`}
				onClick={(event) => {
					event.stopPropagation();
					onOpen(row.id);
				}}
			>
				{row.name === null ? (
					<>
						<Visible text={row.server_name} /> {number}
					</>
				) : (
					<>
						<Visible text={row.name} />{" "}
						<span className="dim">
							<Visible text={row.server_name} /> {number}
						</span>
					</>
				)}
			</button>
		</>
	);
}

function Ended({ row }: { row: SessionRow }) {
	const { conn } = row;
	const live = conn.state === "connected" || conn.state === "connecting";
	const bad =
		conn.state === "failed" || conn.state === "not-recording" || (conn.state === "closed" && conn.crashed);
	const words = live
		? row.elsewhere
			? "recording elsewhere"
			: "recording"
		: conn.state === "closed"
			? conn.outcome
			: conn.state.replace("-", " ");
	return (
		<span role="gridcell" className={`${css.ended} ${live ? "sev-ok" : bad ? "sev-error" : "dim"}`}>
			<span className={`dot ${dotOf(row)}`} />
			<span className="trunc" title={words}>
				{words}
			</span>
		</span>
	);
}

interface CellInputProps {
	row: SessionRow;
	what: Editing;
	value: string;
	onEdited: Props["onEdited"];
}

/** Enter keeps what is typed, Esc does not; leaving the field keeps it. */
function CellInput({ row, what, value, onEdited }: CellInputProps) {
	const ended = useRef(false);
	const end = (text: string | null) => {
		// The focus goes elsewhere then, which would end it a second time.
		if (ended.current) return;
		ended.current = true;
		onEdited(row, what, text);
	};
	return (
		<input
			className={css.cellInput}
			defaultValue={value}
			// biome-ignore lint/a11y/noAutofocus: it stands where the cursor was, and was asked for by a key
			autoFocus
			aria-label={what === "name" ? "Name of the session" : "Tags, with spaces between them"}
			placeholder={what === "name" ? `${row.server_name} #${row.number}` : "tags"}
			spellCheck={false}
			autoComplete="off"
			data-testid={what === "name" ? TESTID.sessionName : TESTID.sessionTags}
			onFocus={(event) => event.target.select()}
			onClick={(event) => event.stopPropagation()}
			onDoubleClick={(event) => event.stopPropagation()}
			onBlur={(event) => end(event.target.value)}
			onKeyDown={(event) => {
				event.stopPropagation();
				if (event.key === "Enter") event.currentTarget.blur();
				if (event.key !== "Escape") return;
				event.preventDefault();
				end(null);
			}}
		/>
	);
}
