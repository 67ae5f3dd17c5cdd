import { useState } from "react";
import { TESTID } from "../../app/testids";
import { AnsiText } from "../../components/AnsiText";
import { Icon } from "../../components/Icon";
import { DownIcon, ErrorIcon, InfoIcon, RestartIcon, RightIcon } from "../../components/icons";
import { Visible } from "../../components/Visible";
import type { ExitRow } from "../../ipc/bindings/ExitRow";
import { duration } from "../../model/format";
import { visible } from "../../model/visible";
import css from "./Timeline.module.css";

interface Props {
	exit: ExitRow;
	/** All of it is shown, not its first line alone. */
	open: boolean;
	onToggle: () => void;
	/** Starts the server anew; missing where that is not possible. */
	onRestart: (() => void) | undefined;
	/** Shows the lines of stderr alone. */
	onStderr: () => void;
	onSelect: (seq: number) => void;
}

/** How the session ended: fact, evidence, action. */
export function ExitCard({ exit, open, onToggle, onRestart, onStderr, onSelect }: Props) {
	const [facts, setFacts] = useState(false);
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
					<button
						type="button"
						className="btn ghost sm ico"
						aria-expanded={open}
						aria-label={open ? "Fold the card" : "Unfold the card"}
						title={open ? "Fold (h)" : "Unfold (l)"}
						onClick={onToggle}
					>
						<Icon of={open ? DownIcon : RightIcon} small />
					</button>
					<Icon of={exit.crashed ? ErrorIcon : InfoIcon} />
					{exit.title}
				</p>
				{open && <InFlight exit={exit} onSelect={onSelect} />}
			</div>
			<div>{open && <LastLines exit={exit} />}</div>
			<div className={css.acts}>
				{onRestart && (
					<button
						type="button"
						className={`btn ${exit.crashed ? "pri" : ""} ${open ? "" : "sm"}`}
						onClick={onRestart}
					>
						<Icon of={RestartIcon} small />
						{started ? "Restart" : "Reconnect"}
					</button>
				)}
				{open && (
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
				)}
			</div>
			{open && facts && <Facts exit={exit} />}
		</section>
	);
}

function InFlight({ exit, onSelect }: Pick<Props, "exit" | "onSelect">) {
	return (
		<>
			<p>{exit.detail}</p>
			{exit.unanswered.slice(0, 3).map((call) => (
				<p key={call.seq} className="trunc">
					In flight:{" "}
					<button
						type="button"
						className={`mono ${css.link}`}
						title={`Go to #${call.seq}`}
						onClick={() => onSelect(call.seq)}
					>
						<Visible text={call.what} />
					</button>{" "}
					id {visible(call.id)}, unanswered after {duration(call.waited_us)}
				</p>
			))}
			{exit.unanswered.length > 3 && <p>and {exit.unanswered.length - 3} more without an answer</p>}
		</>
	);
}

function LastLines({ exit: { stderr, stderr_total } }: { exit: ExitRow }) {
	const lines = stderr.slice(-2);
	if (lines.length === 0) return null;
	return (
		<>
			<p className="dim">
				Last stderr, {lines.length} of {stderr_total} {stderr_total === 1 ? "line" : "lines"}
			</p>
			{lines.map((line, i) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat
				<p key={i} className="mono trunc" title={visible(line)}>
					<AnsiText text={line} />
				</p>
			))}
		</>
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
