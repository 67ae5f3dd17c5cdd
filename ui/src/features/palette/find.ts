/** What the palette shows for a query. */
import type { PaletteGroup, PaletteItem } from "./Palette";

/** An item with the places in its label that match, in order and apart from each other. */
export interface Found {
	item: PaletteItem;
	marks: [from: number, to: number][];
}

export interface FoundGroup {
	title: string;
	items: Found[];
}

/** Items of one group that are shown at most. */
const MOST = 8;

/** The items of which label and detail hold every word; those whose label begins with the query first. */
export function find(groups: readonly PaletteGroup[], query: string): FoundGroup[] {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	return groups
		.map(({ title, items }) => {
			const found = items.flatMap((item) => match(item, words) ?? []);
			const rank = ({ item }: Found) => (item.label.toLowerCase().startsWith(query.toLowerCase()) ? 0 : 1);
			return { title, items: found.sort((a, b) => rank(a) - rank(b)).slice(0, MOST) };
		})
		.filter((group) => group.items.length > 0);
}

function match(item: PaletteItem, words: readonly string[]): Found | null {
	const label = item.label.toLowerCase();
	const rest = (item.detail ?? "").toLowerCase();
	const marks: Found["marks"] = [];
	for (const word of words) {
		const at = label.indexOf(word);
		if (at >= 0) marks.push([at, at + word.length]);
		else if (!rest.includes(word)) return null;
	}
	marks.sort((a, b) => a[0] - b[0]);
	return { item, marks: marks.filter(([from], i) => i === 0 || from >= (marks[i - 1]?.[1] ?? 0)) };
}
