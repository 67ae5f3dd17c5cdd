import { useMemo } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { CloseIcon, ErrorIcon, FailIcon, OkIcon, WarnIcon } from "../../components/icons";
import { useStore } from "../../components/useStore";
import type { AppStore } from "../../model/appStore";
import { asksInput, type BothCall, type Era, type Side, waits } from "../../model/bothEras";
import { type Comparison, compare } from "../../model/compare";
import { sentence } from "../../model/errors";
import { count, duration } from "../../model/format";
import { visible } from "../../model/visible";
import css from "./Both.module.css";

/** Lines that are drawn; the frames have all of them. */
const MAX_LINES = 1500;

interface Props {
	app: AppStore;
	server: string;
	call: BothCall;
}

/** The answers of both eras to one call, beside each other. */
export function BothPane({ app, server, call }: Props) {
	const both = useStore(app.bothEras);
	const { sides } = call;
	const running = call.failure === null && (!sides || waits(sides.legacy) || waits(sides.modern));
	const [left, right] = [sides?.legacy.answer ?? null, sides?.modern.answer ?? null];
	const compared = useMemo(
		() => (left === null || right === null ? null : compare(left, right)),
		[left, right],
	);
	return (
		<section className={css.both} aria-label="Both eras" data-testid={TESTID.bothEras} data-running={running}>
			<header className="phead">
				<h3>Both eras</h3>
				<span className="mono dim trunc">{visible(`${call.draft.method} ${call.what}`)}</span>
				<span className="grow" />
				{running && sides && (
					<button
						type="button"
						className="btn sm"
						data-testid={TESTID.bothCancel}
						onClick={() => void both.cancel(server)}
					>
						Cancel both
					</button>
				)}
				<button
					type="button"
					className="btn ghost sm ico"
					aria-label="Close the comparison"
					title="Close: show one result again"
					data-testid={TESTID.bothClose}
					onClick={() => both.close(server)}
				>
					<Icon of={CloseIcon} />
				</button>
			</header>
			{call.failure !== null && (
				<p className="strip err" role="alert">
					<Icon of={ErrorIcon} small />
					<span className="selectable">Sent in neither era. {visible(sentence(call.failure))}</span>
				</p>
			)}
			{call.failure === null && (
				<>
					<p className={css.verdict} role="status" data-testid={TESTID.bothVerdict}>
						<Verdict call={call} compared={compared} running={running} />
					</p>
					<div className={css.heads}>
						<SideHead app={app} era="legacy" side={sides?.legacy ?? null} />
						<SideHead app={app} era="modern" side={sides?.modern ?? null} />
					</div>
					{compared ? <Lines of={compared} /> : <Alone left={left} right={right} />}
				</>
			)}
		</section>
	);
}

/** What the two come to, in one sentence. */
function Verdict({
	call,
	compared,
	running,
}: {
	call: BothCall;
	compared: Comparison | null;
	running: boolean;
}) {
	if (!call.sides)
		return (
			<span className="dim">A session in the other era is opened, or the one that is open is used.</span>
		);
	if (running)
		return <span className="dim">Waiting for {waits(call.sides.legacy) ? "legacy" : "modern"}.</span>;
	if (!compared) return <span className="dim">There is nothing to compare: one side has no answer.</span>;
	if (asksInput(call.sides.legacy) || asksInput(call.sides.modern)) {
		return (
			<span className="trunc" title={ASKS}>
				{ASKS}
			</span>
		);
	}
	const { differing, era } = compared;
	const but = era.length === 0 ? "" : `, but for ${era.join(", ")}, which one era alone has`;
	if (differing.length === 0)
		return (
			<>
				<span className="sev-ok">
					<Icon of={OkIcon} small />
				</span>
				<span className="trunc" title={`The answers are the same${but}.`}>
					The answers are the same{but}.
				</span>
			</>
		);
	const what = `The answers differ in ${differing.map(visible).join(", ")}.`;
	return (
		<>
			<span className="sev-warning">
				<Icon of={WarnIcon} small />
			</span>
			<span className="trunc" title={what}>
				{what}
			</span>
		</>
	);
}

const ASKS =
	"One side asks for input first: answer it under Waiting for you; its next round takes the place of this one.";

/** Whose side it is, what became of it, and where it stands in the log. */
function SideHead({ app, era, side }: { app: AppStore; era: Era; side: Side | null }) {
	const { text, tone } = standing(side);
	const seq = side?.outcome?.answer?.seq ?? side?.seq ?? null;
	const session = side?.session ?? null;
	return (
		<div className={css.side} data-era={era}>
			<p>
				<span className={`era ${era === "legacy" ? "legacy" : ""}`}>{era}</span>
				{side !== null && side.round > 1 && <span className="dim">round {side.round}</span>}
				<span className="grow" />
				{session !== null && seq !== null && (
					<button
						type="button"
						className="btn ghost sm mono"
						title="Show its frame in its session"
						onClick={() => void app.showSession(session, seq)}
					>
						#{count(seq)}
					</button>
				)}
			</p>
			<p className={tone === "none" ? "dim" : `sev-${tone}`} title={text}>
				{tone === "ok" && <Icon of={OkIcon} small />}
				{tone === "error" && <Icon of={FailIcon} small />}
				<span className={side?.problem == null ? "trunc" : "selectable"}>{text}</span>
			</p>
		</div>
	);
}

function standing(side: Side | null): { text: string; tone: "ok" | "error" | "none" } {
	if (!side) return { text: "connecting", tone: "none" };
	if (side.problem !== null) return { text: `Not sent: ${visible(sentence(side.problem))}`, tone: "error" };
	if (!side.outcome) return { text: "waiting", tone: "none" };
	const { verdict, request, answer, message } = side.outcome;
	const time = request.dur_us === null ? "" : ` · ${duration(request.dur_us)}`;
	if (asksInput(side)) return { text: `asks for input${time}`, tone: "none" };
	switch (verdict) {
		case "ok":
			return { text: `result${time}`, tone: "ok" };
		case "is-error":
			return { text: `the tool (isError)${time}`, tone: "error" };
		case "error":
			return { text: `JSON-RPC error ${answer?.code ?? ""}${time}`, tone: "error" };
		default:
			return {
				text: visible(sentence(message ?? verdict)),
				tone: verdict === "cancelled" ? "none" : "error",
			};
	}
}

const MARK = { same: " ", differs: "≠", era: "·" } as const;

/** Line by line; what differs has a mark between. */
function Lines({ of: { lines } }: { of: Comparison }) {
	const drawn = lines.slice(0, MAX_LINES);
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
		<section className={css.lines} tabIndex={0} aria-label="The answers, line by line">
			{drawn.map(({ left, right, kind }, i) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place
				<div key={i} className={css.line} data-kind={kind}>
					<code>{visible(left ?? "")}</code>
					<b title={TITLE[kind]}>
						{MARK[kind]}
						{kind !== "same" && <span className="vh">{TITLE[kind]}</span>}
					</b>
					<code>{visible(right ?? "")}</code>
				</div>
			))}
			{lines.length > drawn.length && (
				<p className="empty dim">
					{count(lines.length - drawn.length)} more lines; the frames have all of them.
				</p>
			)}
		</section>
	);
}

const TITLE = { same: undefined, differs: "differs", era: "one era alone has this" } as const;

/** One answer, while there is no other to hold it against. */
function Alone({ left, right }: { left: string | null; right: string | null }) {
	const one = left ?? right;
	if (one === null) return null;
	const { lines } = compare(one, one);
	return (
		<Lines of={{ lines: lines.map(({ left: text }) => side(text, left !== null)), differing: [], era: [] }} />
	);
}

function side(text: string | null, isLeft: boolean) {
	return { left: isLeft ? text : null, right: isLeft ? null : text, kind: "same" as const };
}
