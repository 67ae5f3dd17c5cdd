/** What changed in the lists of a server that was restarted, in words. */
import type { ListChange } from "../ipc/bindings/ListChange";
import type { PageKind } from "../ipc/bindings/PageKind";
import { plural } from "./format";

const NOUNS: Record<PageKind, string> = {
	tools: "tool",
	resources: "resource",
	templates: "template",
	prompts: "prompt",
};

/** `1 tool added, 2 changed`: all lists in one line. */
export function summary(lists: readonly ListChange[]): string {
	return lists.map(of).join(" · ");
}

function of({ what, added, removed, changed }: ListChange): string {
	const parts: [number, string][] = [
		[added.length, "added"],
		[removed.length, "removed"],
		[changed.length, "changed"],
	];
	const told = parts.filter(([n]) => n > 0);
	return told
		.map(([n, verb], i) => (i === 0 ? `${plural(n, NOUNS[what])} ${verb}` : `${n} ${verb}`))
		.join(", ");
}

/** One line of the list of changes. */
export interface ChangeLine {
	what: PageKind;
	kind: "added" | "removed" | "changed";
	name: string;
	/** Members in which it differs. */
	parts: readonly string[];
}

/** Every item that came, went or changed. */
export function lines(lists: readonly ListChange[]): ChangeLine[] {
	return lists.flatMap(({ what, added, removed, changed }) => [
		...added.map((name): ChangeLine => ({ what, kind: "added", name, parts: [] })),
		...removed.map((name): ChangeLine => ({ what, kind: "removed", name, parts: [] })),
		...changed.map(({ name, parts }): ChangeLine => ({ what, kind: "changed", name, parts })),
	]);
}
