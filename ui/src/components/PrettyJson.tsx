import { useEffect, useMemo, useState } from "react";
import { type Pretty, pretty, prettyInSlices } from "../model/json/pretty";
import { CodeView } from "./CodeView";

interface Props {
	/** JSON text as received. */
	text: string;
	/** Depth below which containers are folded at first; the root is 1. */
	foldBelow?: number;
	numbers?: boolean;
	label: string;
	testId?: string;
}

/** Longer text is laid out in slices, so that the window does not stand still. */
const AT_ONCE = 512 * 1024;

/** JSON laid out over lines: tokens as received, long ones wrapped. */
export function PrettyJson({ text, foldBelow = 3, numbers = true, label, testId }: Props) {
	const laid = usePretty(text, foldBelow);
	if (!laid) return <p className="empty dim">Laying it out.</p>;
	return (
		<CodeView
			text={laid.text}
			folds={laid.folds}
			json
			wrap
			numbers={numbers}
			label={label}
			{...(testId ? { testId } : {})}
		/>
	);
}

function usePretty(text: string, foldBelow: number): Pretty | null {
	const long = text.length > AT_ONCE;
	const now = useMemo(() => (long ? null : pretty(text, foldBelow)), [text, foldBelow, long]);
	const [later, setLater] = useState<{ of: string; laid: Pretty } | null>(null);
	useEffect(() => {
		if (!long) return;
		let live = true;
		const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
		void prettyInSlices(text, foldBelow, pause, () => !live).then((laid) => {
			if (laid && live) setLater({ of: text, laid });
		});
		return () => {
			live = false;
		};
	}, [text, foldBelow, long]);
	return now ?? (later?.of === text ? later.laid : null);
}
