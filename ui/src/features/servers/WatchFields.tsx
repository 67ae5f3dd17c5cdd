import { TESTID } from "../../app/testids";
import { type Typed, WAITS, type Wait, waitOf } from "../../model/serverDraft";
import css from "./ServerForm.module.css";

interface Props {
	typed: Typed;
	onChange: (typed: Typed) => void;
}

/** Files whose changes restart the server. */
export function WatchField({ typed, onChange }: Props) {
	const from = typed.reach === "stdio" ? "the working folder" : "the folder that this app was started in";
	return (
		<>
			<label htmlFor="server-watch">Watch</label>
			<div>
				<textarea
					id="server-watch"
					className={`fld ${css.paths}`}
					rows={Math.min(6, Math.max(2, typed.watch.split("\n").length))}
					value={typed.watch}
					placeholder={"dist\nsrc/**/*.py"}
					spellCheck={false}
					autoComplete="off"
					data-testid={TESTID.watchPaths}
					onChange={(event) => onChange({ ...typed, watch: event.target.value })}
				/>
				<p className={css.hint}>
					A file, a folder with all in it, or a pattern, one a line, from {from}. When one of them changes, a
					new session begins as soon as it is quiet, and the last call is offered again.
				</p>
			</div>
		</>
	);
}

const LABELS: Record<Wait, { label: string; otherwise: string; hint: string }> = {
	total: {
		label: "At most",
		otherwise: "1 h",
		hint: "for each request altogether, progress or not",
	},
	start: {
		label: "Time to start",
		otherwise: "30 s",
		hint: "silence at its start that is waited through; 60 s for npx, uvx and their like",
	},
	grace: {
		label: "Time to end",
		otherwise: "5 s",
		hint: "after its stdin was closed, before it is made to end",
	},
};

/** The longest wait altogether and, for a process, at its start and its end. */
export function WaitFields({ typed, onChange }: Props) {
	const waits: readonly Wait[] = typed.reach === "stdio" ? ["total", "start", "grace"] : ["total"];
	return waits.map((wait) => {
		const { label, otherwise, hint } = LABELS[wait];
		const wrong = waitOf(typed, wait) === undefined;
		const id = `server-wait-${wait}`;
		return (
			<WaitRow key={wait} id={id} label={label} range={wrong ? WAITS[wait].words : null}>
				<span className={`fld ${css.short} ${wrong ? "bad" : ""}`}>
					<input
						id={id}
						value={typed[wait]}
						placeholder={otherwise}
						spellCheck={false}
						autoComplete="off"
						aria-invalid={wrong}
						data-testid={`${TESTID.wait}-${wait}`}
						onChange={(event) => onChange({ ...typed, [wait]: event.target.value })}
					/>
				</span>
				<span className="dim xs">{hint}</span>
			</WaitRow>
		);
	});
}

interface RowProps {
	id: string;
	label: string;
	/** What can be chosen, where something else is typed. */
	range: string | null;
	children: React.ReactNode;
}

function WaitRow({ id, label, range, children }: RowProps) {
	return (
		<>
			<label htmlFor={id}>{label}</label>
			<div>
				<div className={css.line}>{children}</div>
				{range !== null && (
					<p className={`sev-error ${css.hint}`} role="alert">
						Write a time {range}, or leave it empty.
					</p>
				)}
			</div>
		</>
	);
}
