import { useCallback, useEffect, useState } from "react";
import type { Backend } from "../../ipc/backend";
import type { FrameBody } from "../../ipc/bindings/FrameBody";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import { readAll } from "../../model/body";
import { words } from "../../model/errors";

/** The body of a record, and how to get the rest of a long one. */
export interface Frame {
	body: FrameBody | null;
	/** Why it cannot be read. */
	failure: string | null;
	/** Bytes read so far while the rest is on its way. */
	progress: number | null;
	loadAll: () => void;
}

/** Reads a record's body; the old one stays until the new one is here. */
export function useFrame(backend: Backend, session: string, row: RecordRow | null): Frame {
	const [state, setState] = useState<Omit<Frame, "loadAll">>({ body: null, failure: null, progress: null });
	const seq = row?.seq ?? null;
	const whole = row?.whole ?? null;
	const size = row?.size ?? 0;

	useEffect(() => {
		if (seq === null) return;
		if (whole !== null) {
			setState({
				body: { seq, size, text: whole, complete: true, utf8: true, message: null },
				failure: null,
				progress: null,
			});
			return;
		}
		let live = true;
		backend
			.call("get_frame", { session, seq })
			.then((body) => live && setState({ body, failure: null, progress: null }))
			.catch((error: unknown) => live && setState({ body: null, failure: words(error), progress: null }));
		return () => {
			live = false;
		};
	}, [backend, session, seq, whole, size]);

	const loadAll = useCallback(() => {
		if (seq === null) return;
		const progress = (bytes: number) =>
			setState((old) => (old.body?.seq === seq ? { ...old, progress: bytes } : old));
		progress(0);
		readAll(backend, session, seq, size, progress)
			.then((text) =>
				setState((old) =>
					old.body?.seq === seq
						? { ...old, body: { ...old.body, text, complete: true }, progress: null }
						: old,
				),
			)
			.catch((error: unknown) => setState((old) => ({ ...old, failure: words(error), progress: null })));
	}, [backend, session, seq, size]);

	// A body that belongs to another record is not shown under this one's number.
	return { ...state, body: state.body?.seq === seq ? state.body : null, loadAll };
}
