import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { useStore } from "../../components/useStore";
import { count } from "../../model/format";
import { echoes, type Place } from "../../model/rounds";
import type { SessionStore } from "../../model/sessionStore";
import { visible } from "../../model/visible";
import css from "./Frame.module.css";

/** Where a frame stands among the rounds of its call, and the state that it carries: to the byte. */
export function RoundBar({ session, seq }: { session: SessionStore; seq: number }) {
	const place = useStore(session.rounds).of(seq);
	if (!place) return null;
	const { call, round } = place;
	const asks = round.asks?.seq === seq;
	const state = asks ? (round.asks?.state ?? null) : seq === round.request ? round.sent : null;
	const go = (to: number) => void session.selectSeq(to);
	return (
		<section className={css.round} aria-label="Round" data-testid={TESTID.roundBar}>
			<p>
				<span className="strong">
					Round {round.number} of {call.rounds.length}
				</span>
				<span className="trunc">
					of the call{" "}
					<button type="button" className="btn sm mono" title="Go there" onClick={() => go(call.first)}>
						#{count(call.first)}
					</button>
				</span>
				<span className="grow" />
				<Neighbours place={place} onGo={go} />
			</p>
			{(asks || (seq === round.request && round.number > 1)) && (
				<>
					<p>
						<span className="mono">requestState</span>
						<State place={place} asks={asks} state={state} />
						<span className="grow" />
						{state !== null && (
							<CopyButton text={() => state} label="Copy the state as it stands in the frame" />
						)}
					</p>
					{state !== null && <pre className="mono">{visible(state)}</pre>}
				</>
			)}
		</section>
	);
}

/** The requests of the other rounds. */
function Neighbours({ place: { call, round }, onGo }: { place: Place; onGo: (seq: number) => void }) {
	return call.rounds.map(({ number, request }) => (
		<button
			key={request}
			type="button"
			className={`btn sm ${number === round.number ? "on" : "ghost"}`}
			aria-pressed={number === round.number}
			title={`Request of round ${number}, #${request}`}
			onClick={() => onGo(request)}
		>
			{number}
		</button>
	));
}

/** Whether the state is the one that was given. */
function State({ place, asks, state }: { place: Place; asks: boolean; state: string | null }) {
	if (asks)
		return (
			<span className="dim trunc">{state === null ? "The server gives none." : "given by the server"}</span>
		);
	const before = place.call.rounds[place.round.number - 2]?.asks;
	const from = before ? `#${count(before.seq)}` : "before";
	if (!echoes(place))
		return <span className="sev-warning trunc">not the one of {from}: changed by whoever sent it</span>;
	return (
		<span className="dim trunc">
			{state === null ? `none, as in ${from}` : `as given in ${from}, to the byte`}
		</span>
	);
}
