import { json } from "@codemirror/lang-json";
import { codeFolding, foldEffect, foldKeymap } from "@codemirror/language";
import { EditorState, type Extension, StateEffect, type Text } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import type { Fold } from "../model/json/pretty";
import css from "./CodeView.module.css";
import { fill, foldMarks, searching, shared, writtenOut } from "./codemirror";
import { exactTags } from "./exactTags";
import { type LineNote, lineNotes } from "./lineNotes";

interface Props {
	/** A long one as the editor's own, which was put together bit by bit. */
	text: string | Text;
	/** Read as JSON: colours and folds. */
	json?: boolean;
	/** Folded at first. */
	folds?: readonly Fold[];
	/** Notes at the ends of lines. */
	notes?: readonly LineNote[];
	/** Wrap long lines; else they scroll. */
	wrap?: boolean;
	/** Line numbers at the left. */
	numbers?: boolean;
	/** Text as received: tabs are written out too. */
	raw?: boolean;
	label: string;
	testId?: string;
}

/** Text to read and copy. Only what is in sight is in the document, whatever the length. */
export function CodeView({
	text,
	json: isJson = false,
	folds,
	notes,
	wrap = false,
	numbers = false,
	raw = false,
	label,
	testId,
}: Props) {
	const host = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (!host.current) return;
		const extensions: Extension[] = [
			// What comes first wins.
			numbers ? [lineNumbers(), foldMarks] : noGutter,
			shared,
			writtenOut(raw),
			EditorState.readOnly.of(true),
			// A carriage return is a character to be shown, not the end of a line.
			EditorState.lineSeparator.of("\n"),
			EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
			EditorView.editable.of(false),
			searching,
			keymap.of(foldKeymap),
		];
		if (isJson) extensions.push(json(), exactTags);
		if (folds) extensions.push(folding(folds));
		if (wrap) extensions.push(EditorView.lineWrapping);
		const view = new EditorView({ parent: host.current, state: EditorState.create({ extensions }) });
		fill(view, text);
		const effects: StateEffect<unknown>[] = folds?.map(({ from, to }) => foldEffect.of({ from, to })) ?? [];
		if (notes?.length) effects.push(StateEffect.appendConfig.of(lineNotes(text.toString(), notes)));
		if (effects.length > 0) view.dispatch({ effects });
		return () => view.destroy();
	}, [text, isJson, folds, notes, wrap, numbers, raw, label]);
	return <div ref={host} className={css.view} data-testid={testId} />;
}

/** Without line numbers the text begins where the pane's header does. */
const noGutter = EditorView.theme({ ".cm-line": { paddingLeft: "12px" } });

/** Folds that say what they hold, where that is known. */
function folding(folds: readonly Fold[]): Extension {
	const labels = new Map(folds.map((fold) => [fold.from, fold.label]));
	return codeFolding({
		preparePlaceholder: (_state, range) => labels.get(range.from) ?? "",
		placeholderDOM: (_view, onclick, label: string) => {
			const mark = document.createElement("button");
			mark.type = "button";
			mark.className = "cm-foldPlaceholder";
			mark.textContent = label === "" ? "…" : ` …${label} `;
			mark.title = "Unfold";
			mark.onclick = onclick;
			return mark;
		},
	});
}
