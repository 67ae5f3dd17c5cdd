import { useEffect, useState } from "react";
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
import { count, exactTime } from "../../model/format";
import { canEdit, direction, kindWord, pairOf } from "../../model/rows";
import { type FrameView, type SessionStore, VIEWS } from "../../model/sessionStore";
import type { ViewStore } from "../../model/viewStore";
import { visible } from "../../model/visible";
import css from "./Frame.module.css";
import { HeadersView } from "./HeadersView";
import { LongBar } from "./LongBar";
import { PairView } from "./PairView";
import { PrettyView } from "./PrettyView";
import { RawView } from "./RawView";
import { RoundBar } from "./RoundBar";
import { useExchange } from "./useExchange";
import { useFrame } from "./useFrame";

interface Props {
	backend: Backend;
	session: SessionStore;
	transport: TransportName;
	onClose: () => void;
	onEdit: (seq: number) => void;
}

/** The selected record in full: laid out, as bytes, with the HTTP that carried it, and beside its partner. */
export function FrameDetail({ backend, session, transport, onClose, onEdit }: Props) {
	useStore(session);
	const row = session.selected?.row ?? null;
	const frame = useFrame(backend, session.session, row);
	const exchange = useExchange(backend, session, row, transport !== "stdio");
	const choose = (view: FrameView) => session.show({ view });
	useKeys(
		Object.fromEntries(
			VIEWS.map((view, i) => [
				String(i + 1),
				() => {
					choose(view);
					return true;
				},
			]),
		),
	);
	if (!row) return <p className="empty dim">Select a row to see its frame.</p>;
	const pair = pairOf(row);
	// A view that cannot apply gives way, but is chosen again where it can.
	const off: Partial<Record<FrameView, string>> = {
		...(exchange === null ? { headers: whyNoHeaders(transport) } : {}),
		...(pair === null && exchange === null ? { pair: "This record has no partner" } : {}),
	};
	const chosen = session.dock.view;
	const view = off[chosen] === undefined ? chosen : "pretty";
	const select = (seq: number) => void session.selectSeq(seq);
	return (
		<aside className="pane" aria-label={`Frame ${row.seq}`} data-testid={TESTID.detail} data-seq={row.seq}>
			<Head row={row} session={session} onClose={onClose} onEdit={onEdit} />
			<Tabs
				small
				label="Views of the frame"
				value={view}
				onChange={(value) => choose(value as FrameView)}
				tabs={[
					{ value: "pretty", label: "Pretty" },
					{ value: "raw", label: "Raw bytes" },
					{ value: "headers", label: "Headers", off: off.headers },
					{
						value: "pair",
						label: "Pair",
						off: off.pair,
						...(pair === null ? {} : { count: `#${count(pair)}` }),
					},
				]}
				end={<span className={`mono dim ${css.size}`}>{count(row.size)} B</span>}
			/>
			<Meta row={row} session={session} pair={pair} />
			<RoundBar session={session} seq={row.seq} />
			<LongBar
				key={`long ${row.seq}`}
				backend={backend}
				session={session.session}
				row={row}
				frame={frame}
				onRaw={view === "raw" ? undefined : () => choose("raw")}
			/>
			{frame.failure && <p className="strip err">This app cannot read the frame: {frame.failure}</p>}
			{view === "headers" && exchange && <HeadersView exchange={exchange} onSelect={select} />}
			{view === "pair" && (
				<PairView backend={backend} session={session} seq={pair} exchange={exchange ?? null} />
			)}
			{view === "raw" && frame.body && (
				<RawView key={row.seq} backend={backend} session={session.session} body={frame.body} />
			)}
			{view === "pretty" && frame.body && (
				<PrettyView row={row} body={frame.body} folded={session.dock.folded} />
			)}
		</aside>
	);
}

function whyNoHeaders(transport: TransportName): string {
	return transport === "stdio" ? "stdio has no headers" : "No HTTP exchange carried this record";
}

/** Its exact time, its marks, and its partner where the filter hides that. */
function Meta({ row, session, pair }: { row: RecordRow; session: SessionStore; pair: number | null }) {
	const hidden = useHidden(session, pair);
	return (
		<p className={css.meta}>
			<span className="mono">{exactTime(row.at_us)}</span>
			{row.conn > 1 && <span>connection {row.conn}</span>}
			{row.flags.map((flag) => (
				<span key={flag} className="tag">
					{flag}
				</span>
			))}
			{hidden && pair !== null && (
				<>
					<span className="grow" />
					<span className="trunc">#{count(pair)}, its pair, is filtered out</span>
					<button type="button" className="btn sm" onClick={() => void session.open("")}>
						Show
					</button>
				</>
			)}
		</p>
	);
}

interface HeadProps {
	row: RecordRow;
	session: SessionStore;
	onClose: () => void;
	onEdit: (seq: number) => void;
}

function Head({ row, session, onClose, onEdit }: HeadProps) {
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
			{canEdit(row) && (
				<button
					type="button"
					className="btn ghost sm"
					title="Edit and resend (e)"
					data-testid={TESTID.resend}
					onClick={() => onEdit(row.seq)}
				>
					Edit &amp; resend
				</button>
			)}
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

/** Whether the filter hides a record. */
function useHidden(session: SessionStore, seq: number | null): boolean {
	const [hidden, setHidden] = useState<{ of: ViewStore; seq: number } | null>(null);
	const { view } = session;
	useEffect(() => {
		if (!view || seq === null || session.filter === "") return;
		let live = true;
		view
			.indexOf(seq)
			.then((index) => live && setHidden(index === null ? { of: view, seq } : null))
			.catch(() => undefined);
		return () => {
			live = false;
		};
	}, [view, seq, session.filter]);
	return hidden !== null && hidden.of === view && hidden.seq === seq;
}
