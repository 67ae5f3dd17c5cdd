import type { Failure } from "../../model/form/checks";
import type { Row } from "../../model/form/rows";
import { facts, typeWord } from "../../model/form/words";
import { visible } from "../../model/visible";
import { Icon } from "../Icon";
import { CloseIcon, DownIcon, ErrorIcon, MoveDownIcon, MoveUpIcon, RightIcon } from "../icons";
import { Visible } from "../Visible";
import { Control } from "./Control";
import { useForm } from "./context";
import css from "./Form.module.css";
import { StateButton } from "./StateMenu";

/** A row of the form: name, type, control, state; below them what our check says. */
export function FieldRow({ row, entries }: { row: Row; entries: readonly Row[] }) {
	const { draft, failuresOf, idOf } = useForm();
	const failures = failuresOf(row).filter(
		(failure) => !failure.waved && !isQuiet(failure, row, draft.memory.touched),
	);
	const group = row.control === "group" && row.state === "value";
	return (
		<div
			className={css.row}
			data-row={row.id}
			data-control={row.control}
			data-state={row.state}
			data-bad={failures.length > 0 ? "" : undefined}
			style={{ "--depth": row.depth } as React.CSSProperties}
		>
			<div className={css.name}>
				{Array.from({ length: row.depth }, (_, i) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: guide lines are told apart by their place alone
					<i key={i} className={css.guide} style={{ left: `${i * 14 + 16}px` }} />
				))}
				{group && (
					<button
						type="button"
						className={css.fold}
						aria-expanded={!row.folded}
						aria-label={`${row.folded ? "Show" : "Hide"} what is in ${visible(row.name)}`}
						onClick={() => draft.fold(row)}
					>
						<Icon of={row.folded ? RightIcon : DownIcon} small />
					</button>
				)}
				<label htmlFor={idOf(row)} className="trunc" title={nameTitle(row)}>
					<Visible text={row.role === "root" ? "variant" : row.name === "" ? '""' : row.name} />
					{row.required && <em aria-hidden> *</em>}
				</label>
			</div>
			<span className={`trunc ${css.type}`} title={typeTitle(row)}>
				{row.role === "root" ? "" : visible(typeWord(row.shape))}
			</span>
			<div className={css.control}>
				<Control row={row} entries={entries} bad={failures.length > 0} />
				{row.role === "item" && <ItemButtons row={row} />}
			</div>
			{row.role === "root" ? <span /> : <StateButton row={row} />}
			{failures.map((failure) => (
				<FailureLine key={failure.key} row={row} failure={failure} />
			))}
			{row.control === "twice" && (
				<p className={css.message}>
					<Icon of={ErrorIcon} small />
					<span className="trunc">Our check: this key is written more than once. Edit it as JSON.</span>
				</p>
			)}
		</div>
	);
}

/** What is missing where nobody has been yet is no news. */
function isQuiet({ problem }: Failure, row: Row, touched: ReadonlySet<string>): boolean {
	return problem.missing !== null && row.state === "omit" && !touched.has(row.id);
}

function FailureLine({ row, failure }: { row: Row; failure: Failure }) {
	const { draft, idOf } = useForm();
	const text = `Our check: ${failure.problem.missing === null ? failure.problem.message : "required, and not there"}`;
	return (
		<p className={css.message}>
			<Icon of={ErrorIcon} small />
			<span className="trunc" title={visible(text)}>
				{visible(text)}
			</span>
			{/* A button that the next check takes away would take the focus with it. */}
			{!failure.stale && (
				<button
					type="button"
					className="btn sm danger"
					onClick={() => {
						draft.wave(failure.key);
						// The button goes; the focus stays with its field.
						document.getElementById(idOf(row))?.focus();
					}}
				>
					Send anyway
				</button>
			)}
		</p>
	);
}

function ItemButtons({ row }: { row: Row }) {
	const { draft } = useForm();
	return (
		<span className={css.buttons}>
			<button
				type="button"
				className="btn ghost sm ico"
				aria-label={`Move item ${row.name} up`}
				title="Up (Alt ↑)"
				disabled={row.index === 0}
				onClick={() => draft.edit((edits) => edits.move(row, -1))}
			>
				<Icon of={MoveUpIcon} small />
			</button>
			<button
				type="button"
				className="btn ghost sm ico"
				aria-label={`Move item ${row.name} down`}
				title="Down (Alt ↓)"
				disabled={row.index === row.count - 1}
				onClick={() => draft.edit((edits) => edits.move(row, 1))}
			>
				<Icon of={MoveDownIcon} small />
			</button>
			<button
				type="button"
				className="btn ghost sm ico"
				aria-label={`Remove item ${row.name}`}
				title="Remove (Alt O)"
				onClick={() => draft.edit((edits) => edits.removeAt(row))}
			>
				<Icon of={CloseIcon} small />
			</button>
		</span>
	);
}

function nameTitle(row: Row): string {
	const title = row.shape.title === null || row.shape.title === row.name ? "" : ` · ${row.shape.title}`;
	return visible([`${row.name}${title}`, row.shape.description].filter((part) => part).join("\n"));
}

function typeTitle(row: Row): string {
	const lines = facts(row.shape).map(({ keyword, value }) => `${keyword} ${value}`);
	return visible([typeWord(row.shape), ...lines].join("\n"));
}
