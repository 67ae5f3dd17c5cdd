import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import type { Backend } from "../../ipc/backend";
import type { ExchangeRow } from "../../ipc/bindings/ExchangeRow";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import { clock, duration } from "../../model/format";
import { direction, kindWord } from "../../model/rows";
import type { SessionStore } from "../../model/sessionStore";
import css from "./Frame.module.css";
import { PrettyView } from "./PrettyView";
import { useFrame } from "./useFrame";

interface Props {
	backend: Backend;
	session: SessionStore;
	/** The partner. */
	seq: number | null;
	exchange: ExchangeRow | null;
}

/** The other half of a request or response, and the exchange that carried the record. */
export function PairView({ backend, session, seq, exchange }: Props) {
	return (
		<>
			{exchange && <Carrier exchange={exchange} onSelect={(part) => void session.selectSeq(part)} />}
			{seq !== null && <Partner backend={backend} session={session} seq={seq} />}
		</>
	);
}

/** The records of the exchange, to go to. */
function Carrier({ exchange, onSelect }: { exchange: ExchangeRow; onSelect: (seq: number) => void }) {
	const { frame, request, response, end } = exchange;
	const parts: [string, number | undefined | null][] = [
		["frame", frame],
		[request?.method ?? "request", request?.seq],
		[String(response?.status ?? "response"), response?.seq],
		["end", end?.seq],
	];
	return (
		<div className={css.exchange} data-testid={TESTID.exchange}>
			<span className="k-http">http</span>
			{parts.map(
				([label, seq]) =>
					seq != null && (
						<button
							key={label}
							type="button"
							className="btn sm mono"
							title="Go there"
							onClick={() => onSelect(seq)}
						>
							{label} #{seq}
						</button>
					),
			)}
		</div>
	);
}

function Partner({ backend, session, seq }: { backend: Backend; session: SessionStore; seq: number }) {
	const row = useRecord(backend, session.session, seq);
	const frame = useFrame(backend, session.session, row);
	if (!row) return null;
	const way = direction(row);
	return (
		<>
			<div className={css.partner}>
				<button
					type="button"
					className="btn sm mono"
					title="Go there (p)"
					onClick={() => void session.selectSeq(seq)}
				>
					#{row.seq}
				</button>
				<span className={`mono ${way.className}`} title={way.words}>
					{way.arrow}
				</span>
				<span className={`k-${row.kind}`}>{kindWord(row.kind)}</span>
				<span className="mono dim">{clock(row.at_us)}</span>
				{row.dur_us !== null && <span className="mono dim">{duration(row.dur_us)}</span>}
			</div>
			{frame.failure && <p className="strip err">This app cannot read the frame: {frame.failure}</p>}
			{frame.body && <PrettyView row={row} body={frame.body} />}
		</>
	);
}

function useRecord(backend: Backend, session: string, seq: number): RecordRow | null {
	const [row, setRow] = useState<RecordRow | null>(null);
	useEffect(() => {
		let live = true;
		backend
			.call("get_record", { session, seq })
			.then((found) => live && setRow(found))
			.catch(() => live && setRow(null));
		return () => {
			live = false;
		};
	}, [backend, session, seq]);
	return row?.seq === seq ? row : null;
}
