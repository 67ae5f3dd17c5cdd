import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { ErrorIcon } from "../../components/icons";
import { useNow } from "../../components/useNow";
import { useStore } from "../../components/useStore";
import { Visible } from "../../components/Visible";
import type { InputAnswer } from "../../ipc/bindings/InputAnswer";
import type { InputRow } from "../../ipc/bindings/InputRow";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import { count, lasting } from "../../model/format";
import { elicited, questionOf, rawOf, refused, sampled } from "../../model/inputs";
import type { SessionStore } from "../../model/sessionStore";
import { Elicitation } from "./Elicitation";
import css from "./Inputs.module.css";
import { RawAnswer } from "./RawAnswer";
import { Sampling } from "./Sampling";

interface Props {
	app: AppStore;
	session: SessionStore;
	row: SessionRow;
	input: InputRow;
}

/** One question: who asks, for which call, since when, and the ways to answer it. */
export function InputCard({ app, session, row, input }: Props) {
	const inputs = useStore(app.inputs);
	const reply = inputs.reply(row.id, input);
	const question = questionOf(input);
	const now = useNow(1000);
	const accepted = (): InputAnswer => {
		if (reply.raw !== null) return { kind: "result", json: reply.raw };
		if (question.kind === "sampling") return sampled(reply.text);
		return elicited("accept", question.kind === "form" ? (reply.form?.text ?? "{}") : null);
	};
	return (
		<section
			className={css.card}
			aria-label={`${input.method} #${input.seq} ${input.key ?? ""}`}
			data-testid={TESTID.input}
		>
			<header className="phead">
				<h3 className="mono">{input.method}</h3>
				<span className="sub trunc">
					<Visible text={row.peer ?? row.server_name} /> waits{" "}
					{lasting(Math.max(0, now * 1000 - input.since_us))}
				</span>
				<span className="grow" />
				<button type="button" className="btn ghost sm" onClick={() => void session.selectSeq(input.seq)}>
					Show #{count(input.seq)}
				</button>
				{input.request !== null && (
					<button
						type="button"
						className="btn ghost sm"
						onClick={() => void session.selectSeq(input.request ?? input.seq)}
					>
						For call #{count(input.request)}
					</button>
				)}
			</header>
			<div className={css.body}>
				{question.kind === "sampling" ? (
					<Sampling
						backend={app.backend}
						params={question.params}
						text={reply.text}
						onText={reply.raw === null ? (text) => inputs.type(row.id, input, { text }) : null}
					/>
				) : (
					<Elicitation
						backend={app.backend}
						question={question}
						draft={reply.raw === null ? reply.form : null}
					/>
				)}
				{reply.raw !== null && (
					<RawAnswer value={reply.raw} onChange={(raw) => inputs.type(row.id, input, { raw })} />
				)}
			</div>
			{reply.failure !== null && (
				<div className="strip err" role="alert">
					<Icon of={ErrorIcon} small />
					<span className="selectable">Not answered. {reply.failure}</span>
				</div>
			)}
			{input.visiting && (
				<div className="strip inf">
					You agreed to visit it. The server has not said yet that this is over: accept to go on at once,
					decline to give up.
				</div>
			)}
			<Actions
				input={input}
				visit={
					question.kind === "url" && reply.raw === null && !input.visiting
						? () => void inputs.visit(row.id, input, question.url)
						: null
				}
				elicits={question.kind === "form" || question.kind === "url"}
				raw={reply.raw !== null}
				off={reply.sending}
				accepted={accepted}
				onSend={(answer) => void inputs.answer(row.id, input, answer)}
				onRaw={() => inputs.type(row.id, input, { raw: reply.raw === null ? rawOf(input, reply) : null })}
			/>
		</section>
	);
}

interface ActionsProps {
	input: InputRow;
	/** Opens what is to be visited, and accepts; null where nothing is. */
	visit: (() => void) | null;
	/** Something that can be accepted, declined and cancelled. */
	elicits: boolean;
	/** The result is written by hand. */
	raw: boolean;
	/** An answer is on its way. */
	off: boolean;
	/** What is sent by the first button. */
	accepted: () => InputAnswer;
	onSend: (answer: InputAnswer) => void;
	onRaw: () => void;
}

/** The ways to answer. */
function Actions({ input, visit, elicits, raw, off, accepted, onSend, onRaw }: ActionsProps) {
	const refusal =
		input.key === null
			? "Answers with a JSON-RPC error"
			: "Nothing is sent: the call ends with the question as its answer";
	return (
		<footer className={css.acts}>
			{visit && (
				<button
					type="button"
					className="btn pri"
					disabled={off}
					data-testid={TESTID.inputOpen}
					onClick={visit}
				>
					Open in browser and accept
				</button>
			)}
			<button
				type="button"
				className={visit ? "btn" : "btn pri"}
				title={visit ? "Tells the server yes; nothing is opened" : undefined}
				disabled={off}
				data-testid={TESTID.inputAccept}
				onClick={() => onSend(accepted())}
			>
				{elicits && !raw ? "Accept" : "Send answer"}
			</button>
			{elicits &&
				(["decline", "cancel"] as const).map((action) => (
					<button
						key={action}
						type="button"
						className="btn"
						disabled={off}
						data-testid={action === "decline" ? TESTID.inputDecline : undefined}
						onClick={() => onSend(elicited(action))}
					>
						{action === "decline" ? "Decline" : "Cancel"}
					</button>
				))}
			<button
				type="button"
				className="btn"
				disabled={off}
				title={refusal}
				onClick={() => onSend(refused(input.method))}
			>
				Refuse
			</button>
			<span className="grow" />
			<button type="button" className={`btn ghost sm${raw ? " on" : ""}`} aria-pressed={raw} onClick={onRaw}>
				Raw answer
			</button>
		</footer>
	);
}
