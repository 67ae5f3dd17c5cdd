import { useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { DownIcon, FailIcon, InfoIcon, OkIcon, RightIcon, WarnIcon } from "../../components/icons";
import { Visible } from "../../components/Visible";
import type { SignInRow, StepErrorRow, StepKind, StepRow } from "../../ipc/auth";
import type { AppStore } from "../../model/appStore";
import { isOver, partyWords, stepOf, stepWords } from "../../model/auth";
import { visible } from "../../model/visible";
import css from "./Auth.module.css";
import { Browser } from "./Browser";
import { Consent } from "./Consent";
import { Exchange } from "./Exchange";
import { StepValues } from "./StepValues";

interface Props {
	app: AppStore;
	signIn: SignInRow;
}

/** The steps of a sign-in; the one that matters now is open, until another is chosen. */
export function SignInSteps({ app, signIn }: Props) {
	const now = stepOf(signIn);
	const [chosen, setChosen] = useState<{ at: StepKind | null; open: StepKind | null } | null>(null);
	// A choice holds until the sign-in is somewhere else.
	const open = chosen && chosen.at === now ? chosen.open : now;
	return (
		<ol className={css.steps} aria-label="Steps of the sign-in">
			{signIn.steps.map((step) => (
				<Step
					key={step.kind}
					app={app}
					signIn={signIn}
					step={step}
					open={step.kind === open}
					onOpen={(on) => setChosen({ at: now, open: on ? step.kind : null })}
				/>
			))}
		</ol>
	);
}

interface StepProps extends Props {
	step: StepRow;
	open: boolean;
	onOpen: (open: boolean) => void;
}

function Step({ app, signIn, step, open, onOpen }: StepProps) {
	const words = stepWords(step);
	return (
		<li className={css.step} data-testid={TESTID.signInStepRow} data-step={step.kind} data-state={step.state}>
			<button type="button" className={css.stepLine} aria-expanded={open} onClick={() => onOpen(!open)}>
				<StepIcon state={step.state} />
				<span className="trunc">
					{visible(step.title)}
					<span className="vh"> {step.state}</span>
				</span>
				<span className="mono trunc sub" title={visible(words)}>
					{visible(words)}
				</span>
				<Icon of={open ? DownIcon : RightIcon} small />
			</button>
			{open && <Detail app={app} signIn={signIn} step={step} />}
		</li>
	);
}

function StepIcon({ state }: { state: StepRow["state"] }) {
	if (state === "done") return <Icon of={OkIcon} />;
	if (state === "failed") return <Icon of={FailIcon} />;
	if (state === "waiting") return <Icon of={InfoIcon} />;
	return <span className={state === "running" ? "dot busy" : css.mark} aria-hidden="true" />;
}

function Detail({ app, signIn, step }: Props & { step: StepRow }) {
	const { server, session } = signIn;
	const open = signIn.state !== "running" && !isOver(signIn);
	const again = open && step.state !== "pending";
	return (
		<div className={css.detail}>
			<p className={css.line}>
				<span className="dim trunc grow" title={visible(step.spec)}>
					{visible(step.spec)}
				</span>
				{again && (
					<button
						type="button"
						className="btn ghost sm"
						title="Takes this step and all after it back; nothing runs"
						data-testid={TESTID.signInRestart}
						onClick={() => void app.auth.act(server, "sign_in_restart_from", { step: step.kind })}
					>
						Restart from here
					</button>
				)}
			</p>
			{step.error && <Fault error={step.error} />}
			{step.state === "waiting" && step.consent && (
				<Consent app={app} server={server} consent={step.consent} />
			)}
			{step.state === "waiting" && !step.consent && step.open_url !== null && (
				<Browser app={app} server={server} url={step.open_url} />
			)}
			{step.facts.length > 0 && <Facts of={step.facts} />}
			{step.checks.length > 0 && <Checks of={step.checks} />}
			{step.values.length > 0 && (
				<StepValues app={app} server={server} step={step.kind} values={step.values} off={!open} />
			)}
			{step.exchanges.map((exchange, i) => (
				<Exchange
					// biome-ignore lint/suspicious/noArrayIndexKey: exchanges come one after the other and stay
					key={i}
					exchange={exchange}
					onShow={
						session === null || exchange.seq === null
							? undefined
							: () => void app.showSession(session, exchange.seq)
					}
				/>
			))}
		</div>
	);
}

export function Fault({ error }: { error: StepErrorRow }) {
	return (
		<div className={css.fault} role="alert" data-testid={TESTID.signInFault}>
			<p>
				<b className={error.party === "user" ? "sev-warning" : "sev-error"}>{partyWords(error.party)}</b>{" "}
				<span className="selectable">
					<Visible text={error.message} />
				</span>
			</p>
			<p>
				Next: <Visible text={error.next} />
			</p>
		</div>
	);
}

function Facts({ of }: { of: StepRow["facts"] }) {
	return (
		<dl className={css.facts}>
			{of.map(({ name, value }) => (
				<div key={name}>
					<dt>
						<Visible text={name} />
					</dt>
					<dd>
						<Visible text={value} />
					</dd>
				</div>
			))}
		</dl>
	);
}

/** What was held against the specification, and what was found. */
function Checks({ of }: { of: StepRow["checks"] }) {
	return (
		<ul className={css.checks} aria-label="Checks">
			{of.map(({ what, ok, found, expected, spec, warning }) => (
				<li key={what} data-ok={ok} data-testid={TESTID.signInCheck}>
					<span className={ok ? "sev-ok" : warning ? "sev-warning" : "sev-error"}>
						<Icon of={ok ? OkIcon : warning ? WarnIcon : FailIcon} small />
					</span>
					<div>
						<Visible text={what} />
						<span className="vh">{ok ? ", holds" : ", fails"}</span>
						{!ok && (
							<p className="mono">
								{found === null ? (
									"nothing found"
								) : (
									<>
										found <Visible text={found} />
									</>
								)}
								{expected !== null && (
									<>
										, expected <Visible text={expected} />
									</>
								)}
							</p>
						)}
						<p className="dim">
							<Visible text={spec} />
						</p>
					</div>
				</li>
			))}
		</ul>
	);
}
