import { TESTID } from "../../app/testids";
import { Visible } from "../../components/Visible";
import type { ConsentRow } from "../../ipc/auth";
import type { AppStore } from "../../model/appStore";
import css from "./Auth.module.css";

const WORDS: Record<ConsentRow["kind"], { theirs: string; ours: string; yes: string }> = {
	"open-browser": { theirs: "Opens", ours: "Comes back to", yes: "Open in the browser" },
	"resource-mismatch": { theirs: "The server says", ours: "This app asked for", yes: "Use the server’s" },
	"private-address": { theirs: "Leads to", ours: "The server is at", yes: "Connect to it" },
};

interface Props {
	app: AppStore;
	server: string;
	consent: ConsentRow;
}

/** A question that only the user can answer, where the sign-in stands: never a modal. */
export function Consent({ app, server, consent }: Props) {
	const { theirs, ours, yes } = WORDS[consent.kind];
	const answer = (agree: boolean) => void app.auth.act(server, "sign_in_consent", { agree });
	return (
		<div className={css.consent} role="status" data-testid={TESTID.signInConsent} data-kind={consent.kind}>
			<p>
				<Visible text={consent.message} />
			</p>
			<dl className={css.facts}>
				{[
					[theirs, consent.theirs],
					[ours, consent.ours],
				].map(
					([name, value]) =>
						value && (
							<div key={name}>
								<dt>{name}</dt>
								<dd>
									<Visible text={value} />
								</dd>
							</div>
						),
				)}
			</dl>
			<p className={css.line}>
				<button
					type="button"
					className="btn"
					data-testid={TESTID.signInDecline}
					onClick={() => answer(false)}
				>
					Decline
				</button>
				<button
					type="button"
					className="btn pri"
					data-testid={TESTID.signInAgree}
					onClick={() => answer(true)}
				>
					{yes}
				</button>
			</p>
		</div>
	);
}
