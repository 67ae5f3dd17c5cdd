import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { CodeView } from "../../components/CodeView";
import { Segments } from "../../components/Segments";
import type { Backend } from "../../ipc/backend";
import type { FrameBody } from "../../ipc/bindings/FrameBody";
import { words } from "../../model/errors";
import { hexDump } from "../../model/hex";
import css from "./Frame.module.css";

/** Bytes of a hex dump; the text view shows the rest. */
const HEX_BYTES = 64 * 1024;

interface Props {
	backend: Backend;
	session: string;
	body: FrameBody;
}

/** A record as received: text with everything invisible written out, or its bytes. */
export function RawView({ backend, session, body }: Props) {
	const [hex, setHex] = useState(!body.utf8);
	const dump = useHex(backend, session, body, hex);
	const text = hex ? dump : body.text;
	return (
		<>
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

function useHex(backend: Backend, session: string, body: FrameBody, on: boolean): string {
	const [dump, setDump] = useState("");
	const { seq, size } = body;
	useEffect(() => {
		if (!on) return;
		let live = true;
		backend
			.call("frame_range", { session, seq, from: 0, len: Math.min(size, HEX_BYTES) })
			.then((bytes) => live && setDump(hexDump(new Uint8Array(bytes))))
			.catch((error: unknown) => live && setDump(`This app cannot read the bytes: ${words(error)}`));
		return () => {
			live = false;
		};
	}, [backend, session, seq, size, on]);
	return dump;
}
