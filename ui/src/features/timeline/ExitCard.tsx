import { useState } from "react";
import { TESTID } from "../../app/testids";
import { AnsiText } from "../../components/AnsiText";
import { Icon } from "../../components/Icon";
import { ErrorIcon, InfoIcon, RestartIcon } from "../../components/icons";
import { Visible } from "../../components/Visible";
import type { ExitRow } from "../../ipc/bindings/ExitRow";
import { duration } from "../../model/format";
import { visible } from "../../model/visible";
import css from "./Timeline.module.css";

interface Props {
	exit: ExitRow;
	/** Starts the server anew; missing where that is not possible. */
	onRestart: (() => void) | undefined;
	/** Shows the lines of stderr alone. */
	onStderr: () => void;
	onSelect: (seq: number) => void;
}

/** How the session ended: fact, evidence, action. */
export function ExitCard({ exit, onRestart, onStderr, onSelect }: Props) {
	const [facts, setFacts] = useState(false);
	const lines = exit.stderr.slice(-2);
	// Over HTTP the server runs on: nothing was started.
	const started = exit.executable !== null;
	return (
		<section
			className={`${css.card} ${exit.crashed ? css.crashed : ""}`}
			role={exit.crashed ? "alert" : "status"}
			data-testid={TESTID.exitCard}
		>
			<div>
				<p className={css.fact}>
					<Icon of={exit.crashed ? ErrorIcon : InfoIcon} />
					{exit.title}
				</p>
				<p>{exit.detail}</p>
				{exit.unanswered.slice(0, 3).map((call) => (
					<p key={call.seq}>
						In flight:{" "}
						<button type="button" className="btn ghost sm mono" onClick={() => onSelect(call.seq)}>
							<Visible text={call.what} />
						</button>{" "}
						id {visible(call.id)}, unanswered after {duration(call.waited_us)}
					</p>
				))}
				{exit.unanswered.length > 3 && <p>and {exit.unanswered.length - 3} more without an answer</p>}
			</div>
			<div>
				{lines.length > 0 && (
					<>
						<p className="dim">
							Last stderr, {lines.length} of {exit.stderr_total} {exit.stderr_total === 1 ? "line" : "lines"}
						</p>
						{lines.map((line, i) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat
							<p key={i} className="mono trunc" title={visible(line)}>
								<AnsiText text={line} />
							</p>
						))}
					</>
				)}
			</div>
			<div className={css.acts}>
				{onRestart && (
					<button type="button" className={`btn ${exit.crashed ? "pri" : ""}`} onClick={onRestart}>
						<Icon of={RestartIcon} small />
						{started ? "Restart" : "Reconnect"}
					</button>
				)}
				<span>
					{exit.stderr_total > 0 && (
						<button type="button" className="btn sm" onClick={onStderr}>
							Show stderr
						</button>
					)}
					{started && (
						<button type="button" className="btn sm" aria-expanded={facts} onClick={() => setFacts(!facts)}>
							Command
						</button>
					)}
				</span>
			</div>
			{facts && <Facts exit={exit} />}
		</section>
	);
}

function Facts({ exit }: { exit: ExitRow }) {
	const facts: [string, string | null][] = [
		["Executable", exit.executable],
		["Arguments", exit.argv.map((word) => JSON.stringify(word)).join(" ")],
		["Working folder", exit.cwd],
		["PATH", exit.path],
		["PATH is from", exit.path_source],
	];
	return (
		<dl className={css.facts}>
			{facts
				.filter(([, value]) => value !== null)
				.map(([name, value]) => [
					<dt key={name}>{name}</dt>,
					<dd key={`${name} is`}>{visible(value ?? "")}</dd>,
				])}
		</dl>
	);
}
