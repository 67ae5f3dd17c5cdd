import { useCallback, useEffect, useRef, useState } from "react";
import type { SessionStore } from "../../model/sessionStore";
import { termsOf } from "../../model/terms";

/** Pause in typing after which the filter is applied, milliseconds. */
const PAUSE = 120;

/** A filter as it is written: finished terms and the text behind them. */
export interface FilterText {
	chips: readonly string[];
	text: string;
	/** Replaces the text; it is applied after a pause, or `now`. */
	type: (text: string, now?: boolean) => void;
	/** Makes chips of the text. */
	commit: () => void;
	/** Takes the last chip back as text. */
	unpack: () => void;
	remove: (term: string) => void;
	clear: () => void;
}

interface Written {
	chips: readonly string[];
	text: string;
}

const NOTHING: Written = { chips: [], text: "" };

/** What is written in the field; it becomes the session's filter after a pause. */
export function useFilterText(session: SessionStore): FilterText {
	const [written, setWritten] = useState<Written>(() => ({ chips: termsOf(session.filter), text: "" }));
	/** The filter that we asked for last, known at once: another one was set elsewhere, for instance by Clear or by a cell. */
	const asked = useRef(session.filter);
	if (session.filter !== asked.current) {
		asked.current = session.filter;
		setWritten({ chips: termsOf(session.filter), text: "" });
	}
	const apply = useCallback(
		(next: Written) => {
			const filter = whole(next);
			setWritten(next);
			asked.current = filter;
			if (filter !== session.filter) void session.open(filter);
		},
		[session],
	);
	useEffect(() => {
		if (whole(written) === asked.current) return;
		const timer = setTimeout(() => apply(written), PAUSE);
		return () => clearTimeout(timer);
	}, [written, apply]);

	const { chips, text } = written;
	return {
		chips,
		text,
		type: (next, now = false) => (now ? apply({ chips, text: next }) : setWritten({ chips, text: next })),
		commit: () => apply({ chips: [...new Set([...chips, ...termsOf(text)])], text: "" }),
		unpack: () => apply({ chips: chips.slice(0, -1), text: chips.at(-1) ?? "" }),
		remove: (term) => apply({ chips: chips.filter((chip) => chip !== term), text }),
		clear: () => apply(NOTHING),
	};
}

function whole({ chips, text }: Written): string {
	return [...chips, text.trim()].filter((part) => part !== "").join(" ");
}
