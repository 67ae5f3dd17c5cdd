import { useMemo, useState } from "react";
import { TESTID } from "../../app/testids";
import { CodeView } from "../../components/CodeView";
import { CopyButton } from "../../components/CopyButton";
import { PrettyJson } from "../../components/PrettyJson";
import { Tabs } from "../../components/Tabs";
import { useStore } from "../../components/useStore";
import type { Backend } from "../../ipc/backend";
import type { FrameBody } from "../../ipc/bindings/FrameBody";
import type { OutcomeRow } from "../../ipc/bindings/OutcomeRow";
import type { TransportName } from "../../ipc/bindings/TransportName";
import type { CallStore } from "../../model/calls";
import { type Block, readContent } from "../../model/content";
import { sentence } from "../../model/errors";
import { bytes, count, duration } from "../../model/format";
import type { SessionStore } from "../../model/sessionStore";
import { visible } from "../../model/visible";
import { useExchange } from "../frame/useExchange";
import { useFrame } from "../frame/useFrame";
import css from "./Tools.module.css";
import { useOutcome } from "./useOutcome";
import { VerdictStrip } from "./VerdictStrip";

/** Bytes up to which a result is taken apart whole. */
const MAX_WHOLE = 4 * 1024 * 1024;

interface Props {
	backend: Backend;
	calls: CallStore;
	session: SessionStore;
	transport: TransportName;
}

/** What came back, and whose word it is. */
export function Result({ backend, calls, session, transport }: Props) {
	useStore(session);
	const outcome = useOutcome(backend, calls, session);
	const frame = useFrame(backend, session.session, outcome?.answer ?? null);
	const carried = outcome && (outcome.answer ?? outcome.request);
	const exchange = useExchange(backend, session, carried, transport !== "stdio");
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
				{answer && (
					<>
						<button type="button" className="btn ghost sm" onClick={() => void session.selectSeq(answer.seq)}>
							Show frame
						</button>
						<CopyButton text={() => session.wholeText(answer.seq)} label="Copy the response" />
					</>
				)}
			</header>
			<VerdictStrip outcome={outcome} transport={transport} exchange={exchange ?? null} />
			{outcome.message !== null && <p className={css.say}>{sentence(outcome.message)}</p>}
			{answer && frame.body && (
				<Answer key={answer.seq} outcome={outcome} body={frame.body} onAll={frame.loadAll} />
			)}
			{frame.failure && <p className="strip err">This app cannot read the response: {frame.failure}</p>}
		</section>
	);
}

interface AnswerProps {
	outcome: OutcomeRow;
	body: FrameBody;
	onAll: () => void;
}

function Answer({ outcome, body, onAll }: AnswerProps) {
	const message = body.message ?? body.text;
	const content = useMemo(() => readContent(message), [message]);
	const [chosen, setChosen] = useState<string | null>(null);
	const first = content.blocks.length > 0 ? "content" : content.structured === null ? "raw" : "structured";
	const value = chosen ?? first;
	const off = outcome.answer?.kind === "error" ? "The answer is an error" : "The result has none";
	return (
		<>
			<Tabs
				small
				label="Views of the result"
				value={value}
				onChange={setChosen}
				tabs={[
					{
						value: "content",
						label: "Content",
						...(content.blocks.length > 0 ? { count: content.blocks.length } : { off }),
					},
					{ value: "structured", label: "Structured", ...(content.structured === null ? { off } : {}) },
					{ value: "raw", label: "Raw" },
				]}
				end={
					content.resultType !== null && (
						<span className={`dim ${css.type}`}>resultType {visible(content.resultType)}</span>
					)
				}
			/>
			{!body.complete && (
				<div className="strip inf">
					Showing 256 KiB of {bytes(body.size)}
					<span className="grow" />
					{body.size <= MAX_WHOLE ? (
						<button type="button" className="btn sm" onClick={onAll}>
							Show all
						</button>
					) : (
						<span className="dim">The frame shows all of it.</span>
					)}
				</div>
			)}
			<div className={css.out} data-testid={TESTID.resultBody}>
				{value === "content" && <Blocks blocks={content.blocks} />}
				{value === "structured" && content.structured !== null && (
					<PrettyJson text={content.structured} numbers={false} label="Structured content" />
				)}
				{value === "raw" && <CodeView text={body.text} json wrap label="The response as received" />}
			</div>
		</>
	);
}

/** Content blocks one below the other, in one view that holds any length. */
function Blocks({ blocks }: { blocks: readonly Block[] }) {
	const text = useMemo(() => blocks.map((block) => block.text).join("\n\n"), [blocks]);
	return <CodeView text={text} wrap label="Content" />;
}
