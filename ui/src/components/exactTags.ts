/** Tags integers that a double cannot hold: they are shown digit for digit. */
import { syntaxTree } from "@codemirror/language";
import { type Range, RangeSet } from "@codemirror/state";
import {
	Decoration,
	type DecorationSet,
	type EditorView,
	ViewPlugin,
	type ViewUpdate,
	WidgetType,
} from "@codemirror/view";

class ExactTag extends WidgetType {
	override eq(): boolean {
		return true;
	}
	override toDOM(): HTMLElement {
		const tag = document.createElement("span");
		tag.className = "tag";
		tag.textContent = "exact";
		tag.title = "Beyond 2^53: kept digit for digit";
		tag.style.marginLeft = "6px";
		return tag;
	}
}

const TAG = Decoration.widget({ widget: new ExactTag(), side: 1 });

/** Whether an integer as written is beyond 2^53, so that a double would round it or its neighbours. */
export function beyondDouble(digits: string): boolean {
	if (digits.length < 16 || !/^-?\d+$/.test(digits)) return false;
	const value = BigInt(digits);
	return value > 9007199254740992n || value < -9007199254740992n;
}

/** The tags, for JSON text; only what is in sight is looked at. */
export const exactTags = ViewPlugin.fromClass(
	class {
		decorations: DecorationSet;
		constructor(view: EditorView) {
			this.decorations = find(view);
		}
		update(update: ViewUpdate): void {
			const parsed = syntaxTree(update.startState) !== syntaxTree(update.state);
			if (parsed || update.docChanged || update.viewportChanged) this.decorations = find(update.view);
		}
	},
	{ decorations: (plugin) => plugin.decorations },
);

function find(view: EditorView): DecorationSet {
	const tags: Range<Decoration>[] = [];
	for (const { from, to } of view.visibleRanges) {
		syntaxTree(view.state).iterate({
			from,
			to,
			enter: (node) => {
				if (node.name !== "Number" || node.to - node.from > 400) return;
				if (beyondDouble(view.state.sliceDoc(node.from, node.to))) tags.push(TAG.range(node.to));
			},
		});
	}
	return RangeSet.of(tags, true);
}
