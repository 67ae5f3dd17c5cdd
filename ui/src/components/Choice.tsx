import css from "./Choice.module.css";

interface Props {
	/** For a label beside it. */
	id?: string;
	label: string;
	value: string;
	options: readonly (readonly [value: string, label: string])[];
	testId: string;
	disabled?: boolean;
	onChange: (value: string) => void;
}

/** One of several, in a bar. */
export function Choice({ id, label, value, options, testId, disabled = false, onChange }: Props) {
	return (
		<select
			id={id}
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
