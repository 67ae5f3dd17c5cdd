import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import css from "./CodeEdit.module.css";
import { fill, shared, writtenOut } from "./codemirror";

interface Props {
	/** The text; a change from outside replaces what was typed. */
	value: string;
	onChange: (value: string) => void;
	/** Ctrl or Cmd with Enter. */
	onSubmit: () => void;
	label: string;
	testId?: string;
}

/** An editor for JSON text. What is typed is what is handed on, to the byte. */
export function CodeEdit({ value, onChange, onSubmit, label, testId }: Props) {
	const host = useRef<HTMLDivElement>(null);
	const editor = useRef<EditorView>(null);
	const first = useRef(value);
	const handlers = useRef({ onChange, onSubmit });
	handlers.current = { onChange, onSubmit };

	useEffect(() => {
		if (!host.current) return;
		const submit = () => {
			handlers.current.onSubmit();
			return true;
		};
		const view = new EditorView({
			parent: host.current,
			state: EditorState.create({
				extensions: [
					Prec.highest(keymap.of([{ key: "Mod-Enter", run: submit }])),
					shared,
					writtenOut(false),
					lineNumbers(),
					history(),
					drawSelection(),
					bracketMatching(),
					json(),
					EditorView.lineWrapping,
					EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
					// Without Tab: it leads out of the editor, as out of every field.
					keymap.of([...defaultKeymap, ...historyKeymap]),
					EditorView.updateListener.of((update) => {
						if (update.docChanged && editor.current) handlers.current.onChange(update.state.doc.toString());
					}),
				],
			}),
		});
		fill(view, first.current);
		editor.current = view;
		return () => {
			editor.current = null;
			view.destroy();
		};
	}, [label]);

	useEffect(() => {
		first.current = value;
		const view = editor.current;
		if (!view || view.state.doc.toString() === value) return;
		view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
	}, [value]);

	return <div ref={host} className={css.edit} data-testid={testId} />;
}
