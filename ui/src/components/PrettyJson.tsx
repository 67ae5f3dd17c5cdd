import type { Text } from "@codemirror/state";
import { useEffect, useMemo, useState } from "react";
import { atPointer } from "../model/json/pointer";
import { type Fold, pretty, prettyInSlices } from "../model/json/pretty";
import { readJson } from "../model/json/tree";
import { CodeView } from "./CodeView";
import type { LineNote } from "./lineNotes";
import { below } from "./lines";

interface Props {
	/** JSON text as received. */
	text: string;
	/** Depth below which containers are folded at first; the root is 1. */
	foldBelow?: number;
	numbers?: boolean;
	label: string;
	testId?: string;
	/** Words to pin to the lines of values, by JSON pointer. */
	pins?: readonly Pin[];
}

/** Words about the value at a JSON pointer. */
export interface Pin {
	pointer: string;
	text: string;
}

/** Longer text is laid out in slices, so that the window does not stand still. */
const AT_ONCE = 128 * 1024;

/** In longer text no place is looked for. */
const MAX_PINNED = 1024 * 1024;

/** JSON laid out over lines: tokens as received, long ones wrapped. */
export function PrettyJson({ text, foldBelow = 3, numbers = true, label, testId, pins }: Props) {
	const laid = usePretty(text, foldBelow);
	const notes = useMemo(
		() => (laid && pins && pins.length > 0 ? place(laid.text.toString(), pins) : NONE),
		[laid, pins],
	);
	// What is said about a value must not be hidden in a fold.
	const folds = useMemo(
		() => laid?.folds.filter(({ from, to }) => !notes.some(({ at }) => at > from && at < to)) ?? [],
		[laid, notes],
	);
	if (!laid) return <p className="empty dim">Laying it out.</p>;
	return (
		<CodeView
			text={laid.text}
			folds={folds}
			notes={notes}
			json
			wrap
			numbers={numbers}
			label={label}
			{...(testId ? { testId } : {})}
		/>
	);
}

const NONE: readonly LineNote[] = [];

/** Where the values stand in laid-out text; a longer text is not looked through. */
function place(text: string, pins: readonly Pin[]): LineNote[] {
	const root = text.length > MAX_PINNED ? null : readJson(text);
	return pins.map((pin) => ({ at: atPointer(root, pin.pointer)?.from ?? 0, text: pin.text }));
}

/** Laid-out text as a view takes it. */
interface Laid {
	text: string | Text;
	folds: Fold[];
}

function usePretty(text: string, foldBelow: number): Laid | null {
	const long = text.length > AT_ONCE;
	const now = useMemo(() => (long ? null : pretty(text, foldBelow)), [text, foldBelow, long]);
	const [later, setLater] = useState<{ of: string; laid: Laid } | null>(null);
	useEffect(() => {
		if (!long) return;
		let live = true;
		const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
		let doc: Text | null = null;
		const take = (lines: string[]) => {
			doc = below(doc, lines);
		};
		void prettyInSlices(text, foldBelow, pause, () => !live, take).then((folds) => {
			if (folds && live) setLater({ of: text, laid: { text: doc ?? "", folds } });
		});
		return () => {
			live = false;
		};
	}, [text, foldBelow, long]);
	return now ?? (later?.of === text ? later.laid : null);
}
