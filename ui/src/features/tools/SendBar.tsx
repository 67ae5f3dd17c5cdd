import { type ReactNode, useEffect, useRef } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { ErrorIcon, PlayIcon, RestartIcon, WarnIcon } from "../../components/icons";
import { MOD } from "../../components/keys";
import type { Callable } from "../../model/callable";
import type { Failures } from "../../model/form/checks";
import type { SendState } from "../../model/sendState";
import { visible } from "../../model/visible";
import css from "./Tools.module.css";

interface Props {
	call: Callable;
	failures: Failures;
	unchecked: string | null;
	problem: string | null;
	send: SendState;
	beside?: ReactNode;
	timeoutMs: number | null;
	asking: boolean;
	/** Whether the server can be asked in its other era, too. */
	both: boolean;
	onSend: (confirmed?: boolean) => void;
	onBoth: () => void;
	onCancel: () => void;
}

/** The button that sends, and what our check says; it never forbids. */
export function SendBar({
	call,
	failures,
	unchecked,
	problem,
	send,
	beside,
	timeoutMs,
	asking,
	both,
	onSend,
	onBoth,
	onCancel,
}: Props) {
	if (asking) return <Ask name={call.name} onSend={() => onSend(true)} onCancel={onCancel} />;
	return (
		<footer className={css.run}>
			<button
				type="button"
				className="btn pri"
				disabled={send.off !== null}
				title={send.off ?? undefined}
				data-testid={TESTID.send}
				onClick={() => onSend()}
			>
				<Icon of={send.connects ? RestartIcon : PlayIcon} small />
				{send.label} <kbd>{MOD} ↵</kbd>
			</button>
			{both && (
				<button
					type="button"
					className="btn"
					title="Send it in this session and in one of the other era, which stays open, and compare the answers"
					data-testid={TESTID.sendBoth}
					onClick={onBoth}
				>
					Both eras
				</button>
			)}
			{beside}
			{send.off !== null && <span className="dim xs trunc">{send.off}</span>}
			<Said failures={failures} unchecked={unchecked} problem={problem} />
			<span className="grow" />
			{timeoutMs !== null && (
				<span className={`dim xs trunc ${css.timeout}`}>timeout {timeoutMs / 1000} s, reset by progress</span>
			)}
		</footer>
	);
}

function Said({ failures, unchecked, problem }: Pick<Props, "failures" | "unchecked" | "problem">) {
	if (failures.open > 0) {
		const what = failures.open === 1 ? "1 field fails" : `${failures.open} fields fail`;
		return (
			<span className={`sev-error xs trunc ${css.check}`} data-testid={TESTID.checkSummary}>
				<Icon of={ErrorIcon} small />
				{what} our check
			</span>
		);
	}
	const words = problem ?? (unchecked === null ? null : `not checked: ${unchecked}`);
	if (words === null) return null;
	return (
		<span
			className={`${problem === null ? "dim" : "sev-warning"} xs trunc ${css.check}`}
			title={visible(words)}
			data-testid={TESTID.checkSummary}
		>
			<Icon of={WarnIcon} small />
			Our check: {visible(words)}
		</span>
	);
}

/** The question before a tool that its server calls destructive; not sending is one key away. */
function Ask({ name, onSend, onCancel }: { name: string; onSend: () => void; onCancel: () => void }) {
	const no = useRef<HTMLButtonElement>(null);
	useEffect(() => {
		const before = document.activeElement;
		no.current?.focus();
		return () => {
			if (before instanceof HTMLElement) before.focus();
		};
	}, []);
	return (
		<div
			className={`${css.run} ${css.ask}`}
			role="alertdialog"
			aria-label={`${visible(name)} is destructive`}
			data-testid={TESTID.destructiveAsk}
			onKeyDown={(event) => {
				if (event.key !== "Escape") return;
				event.preventDefault();
				onCancel();
			}}
		>
			<Icon of={WarnIcon} />
			<span className={`grow ${css.question}`}>
				The server marks <span className="mono">{visible(name)}</span> as destructive. Send it? Asked once in
				a session.
			</span>
			<button
				ref={no}
				type="button"
				className="btn"
				data-testid={TESTID.destructiveCancel}
				onClick={onCancel}
			>
				Cancel
			</button>
			<button type="button" className="btn danger" data-testid={TESTID.destructiveSend} onClick={onSend}>
				Send {visible(name)}
			</button>
		</div>
	);
}
