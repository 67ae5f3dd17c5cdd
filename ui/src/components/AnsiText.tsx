import Anser from "anser";
import css from "./AnsiText.module.css";
import { Visible } from "./Visible";

const COLOURS: Record<string, string | undefined> = {
	"ansi-red": css.red,
	"ansi-bright-red": css.red,
	"ansi-green": css.green,
	"ansi-bright-green": css.green,
	"ansi-yellow": css.yellow,
	"ansi-bright-yellow": css.yellow,
	"ansi-blue": css.blue,
	"ansi-bright-blue": css.blue,
	"ansi-magenta": css.magenta,
	"ansi-bright-magenta": css.magenta,
	"ansi-cyan": css.cyan,
	"ansi-bright-cyan": css.cyan,
	"ansi-black": css.dim,
	"ansi-bright-black": css.dim,
};

/** Terminal text with its colours, as spans in our own colours so that it stays readable in both themes. */
export function AnsiText({ text }: { text: string }) {
	return Anser.ansiToJson(text, { use_classes: true, remove_empty: true }).map((span, i) => {
		const names = [COLOURS[span.fg], span.decorations.includes("bold") && css.bold].filter(Boolean).join(" ");
		return (
			// biome-ignore lint/suspicious/noArrayIndexKey: the spans of one text have no other name
			<span key={i} className={names}>
				<Visible text={span.content} />
			</span>
		);
	});
}
