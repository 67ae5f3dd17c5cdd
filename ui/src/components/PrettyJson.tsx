import { useMemo } from "react";
import { pretty } from "../model/json/pretty";
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

/** JSON laid out over lines: tokens as received, long ones wrapped. */
export function PrettyJson({ text, foldBelow = 3, numbers = true, label, testId }: Props) {
	const laid = useMemo(() => pretty(text, foldBelow), [text, foldBelow]);
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
