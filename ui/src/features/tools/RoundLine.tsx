import { useStore } from "../../components/useStore";
import type { AppStore } from "../../model/appStore";
import { count } from "../../model/format";
import type { SessionStore } from "../../model/sessionStore";
import css from "./Tools.module.css";

interface Props {
	app: AppStore;
	session: SessionStore;
	seq: number;
}

/** Which round of its call an answer ends, and what the server waits for. */
export function RoundLine({ app, session, seq }: Props) {
	const place = useStore(session.rounds).of(seq);
	const inputs = useStore(app.inputs);
	if (!place) return null;
	const { call, round } = place;
	const asks = round.asks?.seq === seq;
	const waits = asks && inputs.of(session.session).some((input) => input.seq === seq);
	const open = round.number === call.rounds.length;
	return (
		<p className={`${css.say} ${css.round}`}>
			<span className="grow">
				Round {round.number} of {call.rounds.length} of the call #{count(call.first)}.{" "}
				{asks && (open ? "The server asks for more before it answers." : "The server asked for more.")}
			</span>
			{waits && (
				<button type="button" className="btn sm" onClick={() => app.drafts.showTab("inputs")}>
					Answer
				</button>
			)}
		</p>
	);
}
