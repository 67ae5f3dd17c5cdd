import { TESTID } from "../../app/testids";
import { Segments } from "../../components/Segments";
import { type Typed, timeoutOf } from "../../model/serverDraft";
import css from "./ServerForm.module.css";

const ERAS = ["auto", "modern", "legacy"] as const;
type Era = (typeof ERAS)[number];

const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const HINTS: Record<Era, React.ReactNode> = {
	auto: (
		<>
			Auto asks <code>server/discover</code> first, then falls back to <code>initialize</code>. Both tries are
			recorded.
		</>
	),
	modern: (
		<>
			Modern speaks without a handshake, every request with its revision and capabilities in{" "}
			<code>_meta</code>.
		</>
	),
	legacy: (
		<>
			Legacy opens with <code>initialize</code> and takes the revision that the server answers with.
		</>
	),
};

interface Props {
	typed: Typed;
	onChange: (typed: Typed) => void;
}

/** Which protocol is spoken. */
export function EraField({ typed, onChange }: Props) {
	const era = ERAS.find((name) => name === typed.era);
	return (
		<div>
			<div className={css.line}>
				<Segments<Era | "">
					large
					label="Protocol"
					value={era ?? ""}
					onChange={(next) => onChange({ ...typed, era: next })}
					options={ERAS.map((value) => ({ value, label: value, testId: `${TESTID.era}-${value}` }))}
				/>
				<label className="dim" htmlFor="server-revision">
					or revision
				</label>
				<select
					id="server-revision"
					className={`fld ui ${css.select} ${era ? css.unset : ""}`}
					value={era ? "" : typed.era}
					data-testid={TESTID.revision}
					onChange={(event) => onChange({ ...typed, era: event.target.value || "auto" })}
				>
					<option value="">any</option>
					{REVISIONS.map((revision) => (
						<option key={revision}>{revision}</option>
					))}
				</select>
			</div>
			<p className={css.hint}>
				{era ? HINTS[era] : <>Only revision {typed.era} is offered, whatever the server prefers.</>}
			</p>
		</div>
	);
}

/** How long a request waits. */
export function TimeoutField({ typed, onChange }: Props) {
	const wrong = timeoutOf(typed) === null;
	return (
		<div>
			<div className={css.line}>
				<span className={`fld ${css.short} ${wrong ? "bad" : ""}`}>
					<input
						id="server-timeout"
						value={typed.timeout}
						spellCheck={false}
						autoComplete="off"
						aria-invalid={wrong}
						data-testid={TESTID.timeout}
						onChange={(event) => onChange({ ...typed, timeout: event.target.value })}
					/>
				</span>
				<span className="dim xs">for each request; progress starts it anew</span>
			</div>
			{wrong && (
				<p className={`sev-error ${css.hint}`} role="alert">
					This app cannot read that as a time: write <code>30 s</code>, <code>500 ms</code> or{" "}
					<code>2 min</code>, at most 24 h.
				</p>
			)}
		</div>
	);
}

/** Whether a connection that the server ends is made again. */
export function ReconnectField({ typed, onChange }: Props) {
	return (
		<label className={css.line}>
			<input
				type="checkbox"
				className="check"
				checked={typed.reconnect}
				data-testid={TESTID.reconnect}
				onChange={(event) => onChange({ ...typed, reconnect: event.target.checked })}
			/>
			<span>
				Connect again when the server ends the connection{" "}
				<span className="dim xs">at most 6 times, with growing pauses</span>
			</span>
		</label>
	);
}

/** Whom to trust besides the machine's authorities. */
export function CaField({ typed, onChange }: Props) {
	return (
		<>
			<label htmlFor="server-ca">Own authority</label>
			<span className="fld">
				<input
					id="server-ca"
					value={typed.ca}
					placeholder="file with its certificate (PEM), trusted besides those of this machine"
					spellCheck={false}
					autoComplete="off"
					data-testid={TESTID.ca}
					onChange={(event) => onChange({ ...typed, ca: event.target.value })}
				/>
			</span>
		</>
	);
}
