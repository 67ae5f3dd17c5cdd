import { useState } from "react";
import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { Icon } from "../../components/Icon";
import { CloseIcon } from "../../components/icons";
import { useKeys } from "../../components/keys";
import { Tabs } from "../../components/Tabs";
import { useStore } from "../../components/useStore";
import type { Backend } from "../../ipc/backend";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import type { TransportName } from "../../ipc/bindings/TransportName";
import { bytes, count, exactTime } from "../../model/format";
import { direction, kindWord, pairOf } from "../../model/rows";
import type { SessionStore } from "../../model/sessionStore";
import { visible } from "../../model/visible";
import css from "./Frame.module.css";
import { HeadersView } from "./HeadersView";
import { PairView } from "./PairView";
import { PrettyView } from "./PrettyView";
import { RawView } from "./RawView";
import { useExchange } from "./useExchange";
import { type Frame, useFrame } from "./useFrame";

interface Props {
	backend: Backend;
	session: SessionStore;
	transport: TransportName;
	onClose: () => void;
}

/** The selected record in full: laid out, as bytes, with the HTTP that carried it, and beside its partner. */
export function FrameDetail({ backend, session, transport, onClose }: Props) {
	useStore(session);
	const row = session.selected?.row ?? null;
	const frame = useFrame(backend, session.session, row);
	const exchange = useExchange(backend, session, row, transport !== "stdio");
	const [chosen, setChosen] = useState("pretty");
	const choose = (value: string) => () => {
		setChosen(value);
		return true;
	};
	const pair = row && pairOf(row);
	useKeys({ "1": choose("pretty"), "2": choose("raw"), "3": choose("headers"), "4": choose("pair") });
	if (!row) return <p className="empty dim">Select a row to see its frame.</p>;
	// A view that cannot apply gives way, but is chosen again where it can.
	const noPair = pair === null && exchange === null ? "This record has no partner" : undefined;
	const noHeaders = exchange === null ? whyNoHeaders(transport) : undefined;
	const off: Record<string, string | undefined> = { pair: noPair, headers: noHeaders };
	const value = off[chosen] === undefined ? chosen : "pretty";
	const select = (seq: number) => void session.selectSeq(seq);
	return (
		<aside className="pane" aria-label={`Frame ${row.seq}`} data-testid={TESTID.detail} data-seq={row.seq}>
			<Head row={row} session={session} onClose={onClose} />
			<Tabs
				small
				label="Views of the frame"
				value={value}
				onChange={setChosen}
				tabs={[
					{ value: "pretty", label: "Pretty" },
					{ value: "raw", label: "Raw bytes" },
					{ value: "headers", label: "Headers", off: noHeaders },
					{
						value: "pair",
						label: "Pair",
						off: noPair,
						...(pair === null ? {} : { count: `#${count(pair)}` }),
					},
				]}
				end={<span className={`mono dim ${css.size}`}>{count(row.size)} B</span>}
			/>
			<p className={css.meta}>
				<span className="mono">{exactTime(row.at_us)}</span>
				{row.conn > 1 && <span>connection {row.conn}</span>}
				{row.flags.map((flag) => (
					<span key={flag} className="tag">
						{flag}
					</span>
				))}
			</p>
			<LongBar frame={frame} />
			{frame.failure && <p className="strip err">This app cannot read the frame: {frame.failure}</p>}
			{value === "headers" && exchange && <HeadersView exchange={exchange} onSelect={select} />}
			{value === "pair" && (
				<PairView backend={backend} session={session} seq={pair} exchange={exchange ?? null} />
			)}
			{value !== "headers" &&
				value !== "pair" &&
				frame.body &&
				(value === "raw" ? (
					<RawView key={row.seq} backend={backend} session={session.session} body={frame.body} />
				) : (
					<PrettyView row={row} body={frame.body} />
				))}
		</aside>
	);
}

function whyNoHeaders(transport: TransportName): string {
	return transport === "stdio" ? "stdio has no headers" : "No HTTP exchange carried this record";
}

function Head({ row, session, onClose }: { row: RecordRow; session: SessionStore; onClose: () => void }) {
	const way = direction(row);
	return (
		<header className={`bar ${css.head}`}>
			<span className="mono">#{row.seq}</span>
			<span className={`mono ${way.className}`} title={way.words}>
				{way.arrow}
			</span>
			<span className={`k-${row.kind}`}>{kindWord(row.kind)}</span>
			<span className="mono trunc" title={visible(row.method ?? "")}>
				{visible(row.method ?? "")}
			</span>
			{row.id !== null && <span className="mono dim trunc">id {visible(row.id)}</span>}
			<span className="grow" />
			<CopyButton text={() => session.wholeText(row.seq)} label="Copy as received (Y)" />
			<button
				type="button"
				className="btn ghost sm ico"
				aria-label="Close detail"
				title="Close (Esc)"
				onClick={onClose}
			>
				<Icon of={CloseIcon} />
			</button>
		</header>
	);
}

/** Over the body of a record that did not come in one piece. */
function LongBar({ frame }: { frame: Frame }) {
	const { body, progress, loadAll } = frame;
	if (!body || body.complete) return null;
	return (
		<div className="strip inf">
			{progress === null
				? `Showing 256 KiB of ${bytes(body.size)}`
				: `Reading ${bytes(progress)} of ${bytes(body.size)}`}
			<span className="grow" />
			<button type="button" className="btn sm" disabled={progress !== null} onClick={loadAll}>
				Show all
			</button>
		</div>
	);
}
