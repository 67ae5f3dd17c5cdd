import { TESTID } from "../../app/testids";
import { PrettyJson } from "../../components/PrettyJson";
import { Visible } from "../../components/Visible";
import { at, type Json, text as textOf } from "../../model/json/tree";
import css from "./Inputs.module.css";

interface Props {
	/** Of `sampling/createMessage`. */
	params: Json | null;
	text: string;
	/** Null where the answer is written by hand. */
	onText: ((text: string) => void) | null;
}

/** What a model is asked, and what the user says in its place (client/sampling). */
export function Sampling({ params, text, onText }: Props) {
	const system = textOf(at(params, "systemPrompt"));
	return (
		<>
			{system !== null && (
				<p className={`dim ${css.message}`}>
					<Visible text={system} />
				</p>
			)}
			<div className={css.params}>
				<PrettyJson text={params?.raw ?? "{}"} numbers={false} label="What is asked" />
			</div>
			{onText && (
				<textarea
					className={css.area}
					aria-label="What the model says"
					placeholder="What the model says"
					value={text}
					data-testid={TESTID.inputText}
					onChange={(event) => onText(event.target.value)}
				/>
			)}
		</>
	);
}
