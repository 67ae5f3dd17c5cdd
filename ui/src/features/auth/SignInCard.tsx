import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { SecretIcon } from "../../components/icons";
import { useStore } from "../../components/useStore";
import type { SignInRow } from "../../ipc/auth";
import type { ServerRow } from "../../ipc/bindings/ServerRow";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import { isOpen } from "../../model/auth";
import { sentence } from "../../model/errors";
import { visible } from "../../model/visible";
import css from "./Auth.module.css";
import { Browser } from "./Browser";
import { Consent } from "./Consent";
import { Fault } from "./SignInSteps";

interface Props {
	app: AppStore;
	server: ServerRow;
	/** The session that was refused. */
	session: SessionRow;
	/** How it was refused. */
	message: string;
	/** A call was refused over a connection that goes on. */
	call?: { status: number };
}

/** A server that asks for a sign-in: what to do, where the sign-in stands, and what it asks. */
export function SignInCard({ app, server, session, message, call }: Props) {
	const auth = useStore(app.auth);
	const { id } = server;
	useEffect(() => void auth.read(id), [auth, id]);
	const last = auth.signIn(id);
	// One that had ended before the server refused has nothing to do with it.
	const [before] = useState(last && !isOpen(last) ? last.id : null);
	const signIn = last?.id === before ? null : last;
	const running = signIn !== null && isOpen(signIn);
	const problem = auth.problem(id);
	const waiting = signIn?.steps.find(({ state }) => state === "waiting");
	const failed = signIn?.state === "failed" ? signIn.steps.find(({ error }) => error !== null)?.error : null;
	// A host that cannot sign in offers nothing.
	if (!auth.of(id)?.applies) return null;
	const begin = (byStep: boolean) => {
		void auth.begin(id, session.id, byStep);
		if (byStep) app.edit(server);
	};
	return (
		<section
			className={css.card}
			aria-label="Sign-in"
			data-testid={TESTID.signInCard}
			data-state={signIn?.state}
		>
			<div className={css.cardHead}>
				<Icon of={SecretIcon} />
				<span className="grow" role="status">
					<b>
						{visible(server.name)}{" "}
						{call?.status === 403 ? "wants more scopes than the token has." : "needs a sign-in."}
					</b>{" "}
					{standing(signIn, call)}
				</span>
				{running ? (
					<>
						<button type="button" className="btn" onClick={() => app.edit(server)}>
							Show steps
						</button>
						<button
							type="button"
							className="btn"
							data-testid={TESTID.signInCancel}
							onClick={() => void auth.act(id, "cancel_sign_in", {})}
						>
							Cancel
						</button>
					</>
				) : (
					<>
						<button
							type="button"
							className="btn"
							data-testid={TESTID.signInByStep}
							onClick={() => begin(true)}
						>
							Step by step
						</button>
						<button
							type="button"
							className="btn pri"
							data-testid={TESTID.signIn}
							onClick={() => begin(false)}
						>
							Sign in
						</button>
					</>
				)}
			</div>
			<p className="sub selectable">{visible(sentence(message))}</p>
			{problem !== null && <p className="sev-error selectable">{visible(sentence(problem))}</p>}
			{failed && <Fault error={failed} />}
			{waiting?.consent && <Consent app={app} server={id} consent={waiting.consent} />}
			{waiting && !waiting.consent && waiting.open_url !== null && (
				<Browser app={app} server={id} url={waiting.open_url} />
			)}
		</section>
	);
}

function standing(signIn: SignInRow | null, call: Props["call"]): string {
	switch (signIn?.state) {
		case "running":
			return `${signIn.steps.find(({ state }) => state === "running")?.title ?? "Signing in"}.`;
		case "waiting":
			return signIn.steps.some(({ consent, state }) => consent !== null && state === "waiting")
				? "It goes on once you have answered."
				: "Your browser was opened: sign in there.";
		case "ready":
			return "The sign-in waits for its next step.";
		case "done":
			return call
				? "You are signed in: send the call again."
				: "You are signed in; the connection is made again.";
		case "cancelled":
			return "The sign-in was cancelled.";
		case "failed":
			return "The sign-in failed.";
		default:
			return `The server did not fail: it answered ${call?.status ?? 401} as it should.`;
	}
}
