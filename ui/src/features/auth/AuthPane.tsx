import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { ErrorIcon, PlayIcon, SecretIcon, StopIcon } from "../../components/icons";
import { useStore } from "../../components/useStore";
import { Visible } from "../../components/Visible";
import type { AuthRow, SignInRow } from "../../ipc/auth";
import type { ServerRow } from "../../ipc/bindings/ServerRow";
import type { AppStore } from "../../model/appStore";
import { isOpen, needsSignIn } from "../../model/auth";
import { sentence } from "../../model/errors";
import { visible } from "../../model/visible";
import css from "./Auth.module.css";
import { AuthSettings } from "./AuthSettings";
import { SignInSteps } from "./SignInSteps";
import { Token } from "./Token";

interface Props {
	app: AppStore;
	server: ServerRow;
}

/** How requests to a server are authorized, and signing in to it, as a whole or step by step. */
export function AuthPane({ app, server }: Props) {
	const auth = useStore(app.auth);
	const { id } = server;
	useEffect(() => void auth.read(id), [auth, id]);
	const row = auth.of(id);
	if (!row?.applies) return null;
	const signIn = auth.signIn(id);
	const problem = auth.problem(id);
	const session = needsSignIn(server.session?.conn) ? (server.session?.id ?? null) : null;
	return (
		<section className={css.pane} aria-label="OAuth" data-testid={TESTID.auth} data-state={signIn?.state}>
			<header className="phead">
				<h3>OAuth 2.1</h3>
				<span className="mono dim trunc" title={visible(row.token?.issuer ?? "")}>
					{visible(row.token?.issuer ?? "")}
				</span>
				<span className="grow" />
				{signIn && isOpen(signIn) ? (
					<Further app={app} signIn={signIn} />
				) : (
					<Begin onBegin={(byStep) => void auth.begin(id, session, byStep)} again={signIn !== null} />
				)}
			</header>
			<div className={css.body}>
				{problem !== null && (
					<p className="strip err" role="alert">
						<Icon of={ErrorIcon} small />
						<span className="selectable">{visible(sentence(problem))}</span>
					</p>
				)}
				<p className={css.why} data-testid={TESTID.authWhy}>
					<Visible text={row.why} />
				</p>
				{signIn && <SignInSteps key={signIn.id} app={app} signIn={signIn} />}
				{row.token && <Token app={app} server={id} token={row.token} kept={row.kept} />}
				<Settings app={app} row={row} />
			</div>
			{signIn?.session != null && (
				<footer className={css.foot}>
					<span className="sub grow trunc">The exchanges are kept as a session.</span>
					<button
						type="button"
						className="btn"
						onClick={() => signIn.session !== null && void app.showSession(signIn.session)}
					>
						Open session
					</button>
				</footer>
			)}
		</section>
	);
}

function Begin({ onBegin, again }: { onBegin: (byStep: boolean) => void; again: boolean }) {
	return (
		<>
			<button
				type="button"
				className="btn sm"
				title="Shows each request before it is sent"
				data-testid={TESTID.signInByStep}
				onClick={() => onBegin(true)}
			>
				Step by step
			</button>
			<button type="button" className="btn sm" data-testid={TESTID.signIn} onClick={() => onBegin(false)}>
				<Icon of={SecretIcon} small />
				{again ? "Sign in again" : "Sign in"}
			</button>
		</>
	);
}

/** One step, all of them, or none any more. */
function Further({ app, signIn }: { app: AppStore; signIn: SignInRow }) {
	const { server, state, next } = signIn;
	const off =
		state === "running" ? "A step runs" : state === "waiting" ? "The sign-in waits for you" : undefined;
	return (
		<>
			<button
				type="button"
				className="btn sm"
				disabled={off !== undefined || next === null}
				title={off ?? "Runs the next step alone"}
				data-testid={TESTID.signInStep}
				onClick={() => void app.auth.act(server, "sign_in_step", {})}
			>
				Next step
			</button>
			<button
				type="button"
				className="btn sm"
				disabled={off !== undefined || next === null}
				title={off ?? "Runs until it waits for you, fails or is done"}
				data-testid={TESTID.signInRun}
				onClick={() => void app.auth.act(server, "sign_in_run", {})}
			>
				<Icon of={PlayIcon} small />
				Run all
			</button>
			<button
				type="button"
				className="btn ghost sm"
				data-testid={TESTID.signInCancel}
				onClick={() => void app.auth.act(server, "cancel_sign_in", {})}
			>
				<Icon of={StopIcon} small />
				Cancel
			</button>
		</>
	);
}

/** How it is signed in to: folded, since most servers need nothing of it. */
function Settings({ app, row }: { app: AppStore; row: AuthRow }) {
	const [open, setOpen] = useState(false);
	return (
		<details className={css.fold} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
			<summary data-testid={TESTID.authSettings}>Client and scopes</summary>
			{open && <AuthSettings key={row.server} app={app} row={row} />}
		</details>
	);
}
