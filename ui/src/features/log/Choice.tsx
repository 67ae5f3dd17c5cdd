import css from "./Log.module.css";

interface Props {
	label: string;
	value: string;
	options: readonly (readonly [value: string, label: string])[];
	testId: string;
	disabled?: boolean;
	onChange: (value: string) => void;
}

/** One of several, in a bar. */
export function Choice({ label, value, options, testId, disabled = false, onChange }: Props) {
	return (
		<select
			className={css.choice}
			aria-label={label}
			title={label}
			value={value}
			disabled={disabled}
			data-testid={testId}
			onChange={(event) => onChange(event.target.value)}
		>
			{options.map(([key, words]) => (
				<option key={key} value={key}>
					{words}
				</option>
			))}
		</select>
	);
}
