import { TESTID } from "../../app/testids";
import { CodeEdit } from "../../components/CodeEdit";
import css from "./Inputs.module.css";

interface Props {
	value: string;
	onChange: (value: string) => void;
}

/** The result by hand, also wrong on purpose. */
export function RawAnswer({ value, onChange }: Props) {
	return (
		<div className={css.raw}>
			<CodeEdit
				value={value}
				onChange={onChange}
				onSubmit={() => undefined}
				label="Result as JSON"
				testId={TESTID.inputRaw}
			/>
		</div>
	);
}
