import { useMemo } from "react";
import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { useStore } from "../../components/useStore";
import type { ExchangeRow } from "../../ipc/bindings/ExchangeRow";
import type { OutcomeRow } from "../../ipc/bindings/OutcomeRow";
import type { ToolRow } from "../../ipc/bindings/ToolRow";
import type { TransportName } from "../../ipc/bindings/TransportName";
import type { AppStore } from "../../model/appStore";
import { ANY_URI } from "../../model/callable";
import type { CallStore } from "../../model/calls";
import { readContent } from "../../model/content";
import { sentence } from "../../model/errors";
import { bytes, count, duration } from "../../model/format";
import { at, readJson, text } from "../../model/json/tree";
import { editAndResend } from "../../model/resend";
import type { SessionStore } from "../../model/sessionStore";
import { visible } from "../../model/visible";
import { SignInCard } from "../auth/SignInCard";
import { useExchange } from "../frame/useExchange";
import { useFrame } from "../frame/useFrame";
import { AnswerViews } from "./AnswerViews";
import { RoundLine } from "./RoundLine";
import css from "./Tools.module.css";
import { useCheck } from "./useCheck";
import { useOutcome } from "./useOutcome";
import { VerdictStrip } from "./VerdictStrip";

interface Props {
	app: AppStore;
	calls: CallStore;
	session: SessionStore;
	transport: TransportName;
	tools: readonly ToolRow[];
}

/** What came back, and whose word it is. */
export function Result({ app, calls, session, transport, tools }: Props) {
	useStore(session);
	useStore(app.auth);
	const { backend } = app;
	const outcome = useOutcome(backend, calls, session);
	const frame = useFrame(backend, session.session, outcome?.answer ?? null);
	const question = useFrame(backend, session.session, outcome?.request ?? null);
	const carried = outcome && (outcome.answer ?? outcome.request);
	const exchange = useExchange(backend, session, carried, transport !== "stdio");
	const message = frame.body && (frame.body.message ?? frame.body.text);
	const content = useMemo(() => (message === null ? null : readContent(message)), [message]);
	const schema = outputSchema(tools, question.body?.text ?? null);
	const structured = content?.structured ?? null;
	const check = useCheck(backend, schema, frame.body?.complete ? structured : null, 0);
	if (!outcome) {
		return (
			<>
				<header className="phead">
					<h3>Result</h3>
				</header>
				<p className="empty dim" data-testid={TESTID.result}>
					Send a request, or select one in the timeline.
				</p>
			</>
		);
	}
	const { request, answer } = outcome;
	const refused = refusal(app, session, exchange ?? null);
	const checked = content && { declared: schema !== null, there: structured !== null, row: check };
	return (
		<section
			className={css.result}
			aria-label="Result"
			data-testid={TESTID.result}
			data-seq={answer?.seq}
			data-verdict={outcome.verdict}
		>
			<header className="phead">
				<h3>Result</h3>
				<span className="mono dim trunc">
					{request.id !== null && `id ${visible(request.id)} · `}#{count((answer ?? request).seq)}
					{request.dur_us !== null && ` · ${duration(request.dur_us)}`}
					{answer && ` · ${bytes(answer.size)}`}
				</span>
				<span className="grow" />
				<button
					type="button"
					className="btn ghost sm"
					title="Edit the request and send it again"
					data-testid={TESTID.editResend}
					onClick={() => void editAndResend(app, session.session, request.seq)}
				>
					Edit & resend
				</button>
				{answer && (
					<>
						<button type="button" className="btn ghost sm" onClick={() => void session.selectSeq(answer.seq)}>
							Show frame
						</button>
						<CopyButton text={() => session.wholeText(answer.seq)} label="Copy the response" />
					</>
				)}
			</header>
			<VerdictStrip outcome={outcome} transport={transport} exchange={exchange ?? null} checked={checked} />
			{refused && (
				<SignInCard
					key={request.seq}
					app={app}
					server={refused.server}
					session={refused.session}
					message={outcome.message ?? ""}
					call={refused}
				/>
			)}
			{!(refused && app.auth.of(refused.server.id)?.applies) && <Say outcome={outcome} />}
			<RoundLine app={app} session={session} seq={(answer ?? request).seq} />
			{answer && frame.body && content && (
				<AnswerViews
					key={answer.seq}
					answer={answer}
					body={frame.body}
					content={content}
					schema={schema}
					check={check}
					onAll={frame.loadAll}
					acts={{
						read: (uri) =>
							app.drafts.preset(
								"resources",
								app.server ?? session.session,
								ANY_URI.name,
								`{"uri":${JSON.stringify(uri)}}`,
							),
						save: (name, base64) => backend.call("save_bytes", { name, base64 }),
					}}
				/>
			)}
			{frame.failure && <p className="strip err">This app cannot read the response: {frame.failure}</p>}
		</section>
	);
}

/** A call that the server refused for want of a token or of scopes, over the connection of a server that one can sign in to. */
function refusal(
	{ serverRow: server, session }: AppStore,
	{ session: open }: SessionStore,
	exchange: ExchangeRow | null,
) {
	if (!server || session?.id !== open || session.conn.state !== "connected") return null;
	const { status, headers } = exchange?.response ?? { status: null, headers: [] };
	const challenged = headers.some(
		([name, value]) => name.toLowerCase() === "www-authenticate" && /^(bearer|dpop)\b/i.test(value),
	);
	return challenged && (status === 401 || status === 403) ? { server, session, status } : null;
}

/** What there is to say beside the answer: why there is none, or that it came when nobody waited any more. */
function Say({ outcome: { message, answer, verdict } }: { outcome: OutcomeRow }) {
	const late = answer?.flags.includes("late") === true;
	const words =
		message !== null
			? sentence(message)
			: late
				? `This app no longer waited${verdict === "cancelled" ? ": the request was cancelled" : ""}. The answer is recorded all the same.`
				: null;
	return words === null ? null : <p className={css.say}>{words}</p>;
}

/** The schema that the called tool promises its structured content to match. */
function outputSchema(tools: readonly ToolRow[], request: string | null): string | null {
	if (request === null) return null;
	const name = text(at(readJson(request), "params", "name"));
	return tools.find((tool) => tool.name === name)?.output_schema ?? null;
}
