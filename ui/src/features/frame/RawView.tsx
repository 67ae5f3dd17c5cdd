import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { CodeView } from "../../components/CodeView";
import { Segments } from "../../components/Segments";
import type { Backend } from "../../ipc/backend";
import type { FrameBody } from "../../ipc/bindings/FrameBody";
import { words } from "../../model/errors";
import { HEX_COLUMNS, type HexWidth, hexDump } from "../../model/hex";
import css from "./Frame.module.css";

/** Bytes of a hex dump; the text view shows the rest. */
const HEX_BYTES = 64 * 1024;

/** Pixels beside the lines: their paddings, and a scroll bar. */
const MARGINS = 36;

interface Props {
	backend: Backend;
	session: string;
	body: FrameBody;
}

/** A record as received: text with everything invisible written out, or its bytes. */
export function RawView({ backend, session, body }: Props) {
	const [hex, setHex] = useState(!body.utf8);
	const [probe, width] = useHexWidth();
	const dump = useHex(backend, session, body, hex, width);
	const text = hex ? dump : body.text;
	return (
		<>
			<i ref={probe} className={css.probe} style={{ width: `${HEX_COLUMNS[16]}ch` }} aria-hidden />
			<div className={css.options}>
				<Segments
					label="Show as"
					value={hex ? "hex" : "text"}
					onChange={(value) => setHex(value === "hex")}
					options={[
						{ value: "text", label: "Text" },
						{ value: "hex", label: "Hex" },
					]}
				/>
				{!body.utf8 && <span className="sev-warning">Not UTF-8; in the text, invalid bytes are U+FFFD.</span>}
				{hex && body.size > HEX_BYTES && <span className="dim">The first 64 KiB.</span>}
			</div>
			<CodeView
				key={String(hex)}
				text={text}
				wrap={!hex}
				raw
				label={`Frame ${body.seq}, as received`}
				testId={TESTID.detailBody}
			/>
		</>
	);
}

/** Whether sixteen bytes fit on a line: what goes on the probe, which is as wide as they are, and how many bytes do. */
function useHexWidth(): [RefObject<HTMLElement | null>, HexWidth] {
	const probe = useRef<HTMLElement>(null);
	const [width, setWidth] = useState<HexWidth>(16);
	useLayoutEffect(() => {
		const element = probe.current;
		const pane = element?.parentElement;
		if (!element || !pane) return;
		const look = () => setWidth(element.offsetWidth + MARGINS <= pane.clientWidth ? 16 : 8);
		const sizes = new ResizeObserver(look);
		sizes.observe(pane);
		look();
		return () => sizes.disconnect();
	}, []);
	return [probe, width];
}

function useHex(backend: Backend, session: string, body: FrameBody, on: boolean, width: HexWidth): string {
	const [bytes, setBytes] = useState<Uint8Array | null>(null);
	const [failure, setFailure] = useState<string | null>(null);
	const { seq, size } = body;
	useEffect(() => {
		if (!on) return;
		let live = true;
		backend
			.call("frame_range", { session, seq, from: 0, len: Math.min(size, HEX_BYTES) })
			.then((read) => live && setBytes(new Uint8Array(read)))
			.catch((error: unknown) => live && setFailure(`This app cannot read the bytes: ${words(error)}`));
		return () => {
			live = false;
		};
	}, [backend, session, seq, size, on]);
	return useMemo(() => failure ?? (bytes ? hexDump(bytes, width) : ""), [failure, bytes, width]);
}
