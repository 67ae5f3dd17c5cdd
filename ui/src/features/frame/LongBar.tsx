import { useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { InfoIcon, SaveIcon } from "../../components/icons";
import type { Backend } from "../../ipc/backend";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import { words } from "../../model/errors";
import { bytes } from "../../model/format";
import type { Frame } from "./useFrame";

/** Longer bodies come in pieces. */
export const PIECE = 256 * 1024;

interface Props {
	backend: Backend;
	session: string;
	row: RecordRow;
	frame: Frame;
	/** Goes to the bytes; missing where they are shown. */
	onRaw: (() => void) | undefined;
}

/** Over a body that is too long to come in one piece: how much of it is here, and how to get all. */
export function LongBar({ backend, session, row, frame, onRaw }: Props) {
	const { body, progress, loadAll } = frame;
	const [saving, setSaving] = useState("");
	if (!body || body.size <= PIECE) return null;
	const save = () => {
		setSaving("Saving");
		backend
			.call("save_frame", { session, seq: row.seq })
			.then((path) => setSaving(path === null ? "" : `Saved as ${path}`))
			.catch((error: unknown) => setSaving(`This app could not save it: ${words(error)}`));
	};
	const shown =
		progress === null
			? `Showing ${body.complete ? "all" : "256 KiB"} of ${bytes(body.size)}`
			: `Reading ${bytes(progress)} of ${bytes(body.size)}`;
	return (
		<div className="strip" data-testid={TESTID.longBar}>
			<Icon of={InfoIcon} />
			<span className="trunc" role="status" title="Folded below level 3">
				{saving || shown}
			</span>
			<span className="grow" />
			{!body.complete && (
				<button type="button" className="btn sm" disabled={progress !== null} onClick={loadAll}>
					Show all
				</button>
			)}
			{onRaw && (
				<button type="button" className="btn ghost sm" title="Raw bytes (2)" onClick={onRaw}>
					Raw
				</button>
			)}
			<button type="button" className="btn ghost sm" onClick={save}>
				<Icon of={SaveIcon} small />
				Save
			</button>
		</div>
	);
}
