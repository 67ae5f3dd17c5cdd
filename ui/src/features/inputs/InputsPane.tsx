import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import { inputKey } from "../../model/inputs";
import type { SessionStore } from "../../model/sessionStore";
import { InputCard } from "./InputCard";
import css from "./Inputs.module.css";

interface Props {
	app: AppStore;
	session: SessionStore;
	row: SessionRow;
}

/** What the server of a session asks: the user answers in the model's place or for themselves. */
export function InputsPane({ app, session, row }: Props) {
	const inputs = useStore(app.inputs);
	const asked = inputs.of(row.id);
	if (asked.length === 0) {
		return (
			<p className="empty dim">
				The server asks nothing. Elicitation and sampling requests wait here until you answer them.
			</p>
		);
	}
	return (
		<div className={css.page}>
			{asked.map((input) => (
				<InputCard key={inputKey(input)} app={app} session={session} row={row} input={input} />
			))}
		</div>
	);
}
