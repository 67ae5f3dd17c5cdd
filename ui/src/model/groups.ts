/** The items of a list under the namespaces in their names, where that makes the list easier to read. */

/** A run of items in the list: a namespace with its items, or what has none. */
export interface Group {
	/** `orders.`; `other` for items without a namespace; empty where the list is flat. */
	title: string;
	/** Places in the server's list. */
	places: number[];
}

/** Below this a list is read faster than its headings. */
const MIN_ITEMS = 8;
/** From here on words joined by `_` and `-` are taken for namespaces, too. */
const MANY_ITEMS = 24;

const NAMESPACE = /^.+?(?:\.|\/|:|__)/;
const FIRST_WORD = /^[^._:/-]+[_-]/;

/** Groups names, in the order in which the prefixes come; within a group the server's order stays. */
export function groupNames(names: readonly string[]): Group[] {
	const flat = [{ title: "", places: names.map((_, i) => i) }];
	if (names.length < MIN_ITEMS) return flat;
	const groups = by(names, NAMESPACE);
	if (isHelp(groups, names.length)) return withOther(groups);
	const words = by(names, FIRST_WORD);
	return names.length >= MANY_ITEMS && isHelp(words, names.length) ? withOther(words) : flat;
}

function by(names: readonly string[], pattern: RegExp): Map<string, number[]> {
	const groups = new Map<string, number[]>();
	names.forEach((name, i) => {
		const prefix = pattern.exec(name)?.[0] ?? "";
		groups.set(prefix, [...(groups.get(prefix) ?? []), i]);
	});
	return groups;
}

function isHelp(groups: ReadonlyMap<string, readonly number[]>, total: number): boolean {
	const real = [...groups].filter(([prefix, places]) => prefix !== "" && places.length > 1);
	return real.length > 1 && real.reduce((sum, [, places]) => sum + places.length, 0) * 2 >= total;
}

function withOther(groups: ReadonlyMap<string, number[]>): Group[] {
	const real = [...groups].filter(([prefix, places]) => prefix !== "" && places.length > 1);
	const taken = new Set(real.map(([prefix]) => prefix));
	const others = [...groups].filter(([prefix]) => !taken.has(prefix)).flatMap(([, places]) => places);
	const out = real.map(([title, places]) => ({ title, places }));
	if (others.length > 0) out.push({ title: "other", places: others.sort((a, b) => a - b) });
	return out;
}
