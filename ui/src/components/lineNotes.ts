/** Notes at the ends of lines of an editor, and the lines marked: what our check says, where it says it. */
import { type Extension, RangeSet } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";

/** A note at the line that holds this place of the text. */
export interface LineNote {
	at: number;
	text: string;
}

class NoteWidget extends WidgetType {
	constructor(private readonly text: string) {
		super();
	}
	override eq(other: NoteWidget): boolean {
		return other.text === this.text;
	}
	override toDOM(): HTMLElement {
		const note = document.createElement("span");
		note.className = "line-note";
		note.textContent = this.text;
		return note;
	}
}

const MARK = Decoration.line({ class: "line-bad" });

/** The decorations for notes over `text`. */
export function lineNotes(text: string, notes: readonly LineNote[]): Extension {
	const marks = notes.flatMap(({ at, text: words }) => {
		const from = text.lastIndexOf("\n", at - 1) + 1;
		const end = text.indexOf("\n", at);
		const to = end < 0 ? text.length : end;
		return [MARK.range(from), Decoration.widget({ widget: new NoteWidget(words), side: 1 }).range(to)];
	});
	return EditorView.decorations.of(RangeSet.of(marks, true));
}
