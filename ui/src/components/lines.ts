/** Text of an editor that comes in slices of lines. */
import { Text } from "@codemirror/state";

/** Appends lines to a text that has none of them yet; the first one to nothing, each other below. */
export function below(text: Text | null, lines: readonly string[]): Text | null {
	if (lines.length === 0) return text;
	return text === null ? Text.of(lines) : text.append(Text.of(["", ...lines]));
}
