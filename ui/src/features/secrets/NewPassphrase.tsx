import { passphraseProblem, SHORTEST } from "../../model/passphrase";
import css from "./Secrets.module.css";

interface Props {
	first: string;
	second: string;
	onChange: (first: string, second: string) => void;
	/** What cannot be read without it. */
	of: string;
	testId: string;
}

/** A new passphrase, typed twice. Nothing brings a forgotten one back, and that is said before it is used. */
export function NewPassphrase({ first, second, onChange, of, testId }: Props) {
	// Who is still typing is not told that it is too short.
	const problem = second === "" ? null : passphraseProblem(first, second);
	return (
		<div className={css.pair}>
			<span className={`fld ui ${css.field}`}>
				<input
					type="password"
					autoComplete="new-password"
					placeholder={`passphrase, at least ${SHORTEST} characters`}
					aria-label="New passphrase"
					value={first}
					data-testid={testId}
					onChange={(event) => onChange(event.target.value, second)}
				/>
			</span>
			<span className={`fld ui ${css.field} ${problem === null ? "" : "bad"}`}>
				<input
					type="password"
					autoComplete="new-password"
					placeholder="once more"
					aria-label="New passphrase once more"
					aria-invalid={problem !== null}
					value={second}
					data-testid={`${testId}-again`}
					onChange={(event) => onChange(first, event.target.value)}
				/>
			</span>
			<p className={`${css.words} ${problem === null ? "dim" : "sev-error"}`} role="status">
				{problem === null
					? `Without the passphrase nobody can read ${of}: it cannot be recovered.`
					: `${problem}.`}
			</p>
		</div>
	);
}
