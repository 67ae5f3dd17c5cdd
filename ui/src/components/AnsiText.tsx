import { spans } from "../model/ansi";
import css from "./AnsiText.module.css";
import { Visible } from "./Visible";

/** Terminal text with its colours, in our own colours so that it stays readable in both themes. */
export function AnsiText({ text }: { text: string }) {
	return spans(text).map(({ text: part, colour, bold }, i) => (
		<span
			// biome-ignore lint/suspicious/noArrayIndexKey: the spans of one text have no other name
			key={i}
			className={[colour && css[colour], bold && css.bold].filter(Boolean).join(" ")}
		>
			<Visible text={part} />
		</span>
	));
}
