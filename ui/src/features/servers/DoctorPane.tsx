import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { Icon } from "../../components/Icon";
import { CloseIcon, FailIcon, OkIcon, RestartIcon, SecretIcon, StopIcon } from "../../components/icons";
import { useStore } from "../../components/useStore";
import { Visible } from "../../components/Visible";
import type { DoctorFact } from "../../ipc/bindings/DoctorFact";
import type { DoctorFault } from "../../ipc/bindings/DoctorFault";
import type { DoctorReport } from "../../ipc/bindings/DoctorReport";
import type { DoctorStep } from "../../ipc/bindings/DoctorStep";
import type { AppStore } from "../../model/appStore";
import { duration } from "../../model/format";
import { visible } from "../../model/visible";
import css from "./Doctor.module.css";

interface Props {
	app: AppStore;
	/** Examines the server as it is typed now. */
	onRun: () => void;
	/** Signs in to the server, which is saved first where that is needed. */
	onSignIn: { label: string; run: () => void };
	/** Puts the pane away; missing where nothing stands in its place. */
	onClose: (() => void) | undefined;
}

/** The steps of connecting with their times as they are done, and what is wrong with the one that fails. */
export function DoctorPane({ app, onRun, onSignIn, onClose }: Props) {
	const { doctor } = app;
	useStore(doctor);
	const { report, running } = doctor;
	return (
		<section className={css.pane} aria-label="Connection doctor" data-testid={TESTID.doctor}>
			<header className="phead">
				<h3>Connection doctor</h3>
				<span className="dim xs trunc" role="status">
					{report?.headline ?? (running ? "starting" : "")}
				</span>
				<span className="grow" />
				{running ? (
					<button
						type="button"
						className="btn sm"
						data-testid={TESTID.doctorStop}
						onClick={() => void doctor.stop()}
					>
						<Icon of={StopIcon} small />
						Cancel
					</button>
				) : (
					<button type="button" className="btn sm" data-testid={TESTID.doctorRun} onClick={onRun}>
						<Icon of={RestartIcon} small />
						Run again
					</button>
				)}
				{report && <CopyButton text={() => doctor.report?.text ?? ""} label="Copy report" />}
				{onClose && (
					<button
						type="button"
						className="btn ghost sm ico"
						aria-label="Close the doctor"
						title="Close the doctor"
						onClick={onClose}
					>
						<Icon of={CloseIcon} small />
					</button>
				)}
			</header>
			<div className={css.body}>
				{doctor.failure !== null && (
					<p className="empty sev-error" role="alert">
						{doctor.failure}
					</p>
				)}
				{report && <Report report={report} onSignIn={onSignIn} />}
			</div>
			{report?.session != null && !running && (
				<footer className={css.foot}>
					<span className="sub grow">This attempt is kept as a session.</span>
					<button
						type="button"
						className="btn"
						onClick={() => report.session !== null && void app.showSession(report.session)}
					>
						Open session
					</button>
				</footer>
			)}
		</section>
	);
}

function Report({ report, onSignIn }: { report: DoctorReport; onSignIn: Props["onSignIn"] }) {
	return (
		<>
			<ol className={css.steps}>
				{report.steps.map((step) => (
					<Step
						key={step.label}
						step={step}
						fault={step.state === "failed" ? report.fault : null}
						onSignIn={onSignIn}
					/>
				))}
			</ol>
			{report.facts.length > 0 && (
				<section className={css.sec} aria-label="Facts">
					<h4>Facts</h4>
					<Facts of={report.facts} />
				</section>
			)}
		</>
	);
}

const WORDS: Record<DoctorStep["state"], string> = {
	waiting: "not run",
	running: "running",
	passed: "passed",
	failed: "failed",
	skipped: "not needed",
};

interface StepProps {
	step: DoctorStep;
	fault: DoctorFault | null;
	onSignIn: Props["onSignIn"];
}

function Step({ step, fault, onSignIn }: StepProps) {
	const { state, label, fact, dur_us } = step;
	return (
		<li
			className={css.step}
			data-testid={TESTID.doctorStep}
			data-state={state}
			data-sign-in={fault?.sign_in ? "" : undefined}
		>
			<div className={css.line}>
				{state === "passed" || state === "failed" ? (
					<Icon of={state === "passed" ? OkIcon : fault?.sign_in ? SecretIcon : FailIcon} />
				) : (
					<span className={css.mark} aria-hidden="true" />
				)}
				<span className="trunc">
					{label}
					<span className="vh"> {WORDS[state]}</span>
				</span>
				<span className="mono trunc sub" title={visible(fact)}>
					<Visible text={fact} />
				</span>
				<span className="num mono">{dur_us === null ? "" : duration(dur_us)}</span>
			</div>
			{fault && <Fault fault={fault} onSignIn={onSignIn} />}
		</li>
	);
}

function Fault({ fault, onSignIn }: { fault: DoctorFault; onSignIn: Props["onSignIn"] }) {
	return (
		<div className={css.why} role="alert" data-testid={TESTID.doctorFault}>
			<p>
				<b className={fault.sign_in ? "sev-info" : "sev-error"}>{fault.headline}</b> {fault.clear}
			</p>
			<p className="selectable">
				<Visible text={fault.what} />
			</p>
			<p>Next: {fault.next}</p>
			{fault.sign_in && (
				<p>
					<button type="button" className="btn sm" data-testid={TESTID.doctorSignIn} onClick={onSignIn.run}>
						<Icon of={SecretIcon} small />
						{onSignIn.label}
					</button>
				</p>
			)}
			{fault.evidence.length > 0 && <Facts of={fault.evidence} />}
		</div>
	);
}

function Facts({ of }: { of: readonly DoctorFact[] }) {
	return (
		<dl className={css.facts}>
			{of.map(({ name, value }) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd>
						<Visible text={value} />
					</dd>
				</div>
			))}
		</dl>
	);
}
