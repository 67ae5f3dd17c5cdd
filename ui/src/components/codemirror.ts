/** What our editors share: looks from the tokens, JSON colours, and invisible characters written out. */
import { foldGutter, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { type Extension, type Text, Transaction } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { INVISIBLE, INVISIBLE_IN_LINES, nameOf } from "../model/visible";

const look = EditorView.theme({
	"&": { height: "100%", backgroundColor: "transparent", color: "var(--fg)", fontSize: "var(--text-xs)" },
	"&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
	".cm-scroller": {
		fontFamily: "var(--font-mono)",
		lineHeight: "var(--leading-code)",
		scrollbarWidth: "thin",
	},
	".cm-content": { padding: "4px 0", caretColor: "var(--fg)" },
	".cm-line": { padding: "0 12px 0 6px" },
	".cm-gutters": { backgroundColor: "transparent", border: "0", color: "var(--fg-3)" },
	".cm-lineNumbers .cm-gutterElement": { padding: "0 2px 0 8px", minWidth: "26px" },
	".cm-foldGutter .cm-gutterElement": { width: "12px", padding: "0", cursor: "default" },
	".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
	".cm-cursor": { borderLeftColor: "var(--fg)" },
	"&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
		background: "var(--bg-selected)",
	},
	".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
		backgroundColor: "var(--bg-active)",
		outline: "none",
	},
	".cm-line.line-bad": {
		background: "var(--sev-error-tint)",
		boxShadow: "inset 2px 0 0 var(--sev-error)",
	},
	".line-note": { marginLeft: "12px", color: "var(--sev-error)", fontFamily: "var(--font-ui)" },
	".cm-foldPlaceholder": {
		background: "none",
		border: "0",
		margin: "0 2px",
		padding: "0 2px",
		color: "var(--fg-3)",
		fontFamily: "var(--font-ui)",
	},
	".cm-panels": { background: "var(--bg-chrome)", color: "var(--fg)" },
	".cm-panels.cm-panels-top": { borderBottom: "var(--hair) solid var(--line)" },
	".cm-search": {
		display: "flex",
		flexWrap: "wrap",
		alignItems: "center",
		gap: "4px",
		padding: "4px 28px 4px 8px",
		font: "var(--text-xs) var(--font-ui)",
	},
	".cm-search br, .cm-search [name=replace], .cm-search [name=replaceAll], .cm-search [name=select]": {
		display: "none",
	},
	".cm-search label": { display: "inline-flex", alignItems: "center", gap: "3px", color: "var(--fg-2)" },
	".cm-search .cm-textfield": {
		width: "150px",
		height: "20px",
		padding: "0 6px",
		border: "var(--hair) solid var(--line-field)",
		borderRadius: "var(--r2)",
		background: "var(--bg-field)",
		color: "var(--fg)",
		font: "var(--text-xs) var(--font-mono)",
	},
	".cm-search .cm-button": {
		height: "20px",
		padding: "0 6px",
		border: "var(--hair) solid var(--line-strong)",
		borderRadius: "var(--r2)",
		background: "var(--bg-pane)",
		color: "var(--fg)",
		font: "var(--text-xs) var(--font-ui)",
	},
	".cm-search .cm-dialog-close, .cm-search [name=close]": {
		position: "absolute",
		top: "4px",
		right: "6px",
		width: "20px",
		height: "20px",
		color: "var(--fg-2)",
	},
	".cm-searchMatch": { backgroundColor: "var(--mark)" },
	".cm-searchMatch, .cm-searchMatch *": { color: "var(--fg)" },
	".cm-searchMatch-selected": { backgroundColor: "var(--bg-selected)", outline: "1px solid var(--focus)" },
	".cm-foldPlaceholder:hover": { background: "var(--bg-hover)", color: "var(--fg)" },
});

const colours = HighlightStyle.define([
	{ tag: tags.propertyName, color: "var(--j-key)" },
	{ tag: tags.string, color: "var(--j-string)" },
	{ tag: tags.number, color: "var(--j-number)" },
	{ tag: [tags.bool, tags.null], color: "var(--j-literal)" },
	{ tag: [tags.separator, tags.punctuation, tags.bracket], color: "var(--j-punct)" },
]);

/** For every editor. */
export const shared: Extension = [look, syntaxHighlighting(colours)];

/**
 * Puts the first text into a view. Of a long line that wraps, the part out of sight gets its height only where the text comes
 * as a change: with a text to begin with, the editor would lay out all of it.
 */
export function fill(view: EditorView, text: string | Text): void {
	view.dispatch({ changes: { from: 0, insert: text }, annotations: Transaction.addToHistory.of(false) });
}

/** Mod+F looks for text in what is shown, folded or not. */
export const searching: Extension = [search({ top: true }), keymap.of(searchKeymap)];

/** Writes out what cannot be seen; in text as received tabs too. */
export function writtenOut(raw: boolean): Extension {
	return highlightSpecialChars({
		specialChars: raw ? INVISIBLE : INVISIBLE_IN_LINES,
		render: (code) => {
			const mark = document.createElement("span");
			mark.className = "ctl";
			mark.textContent = nameOf(String.fromCodePoint(code));
			return mark;
		},
	});
}

/** Marks beside lines that fold. */
export const foldMarks: Extension = foldGutter({
	markerDOM: (open) => {
		const mark = document.createElement("span");
		mark.textContent = open ? "⌄" : "›";
		mark.title = open ? "Fold" : "Unfold";
		return mark;
	},
});
