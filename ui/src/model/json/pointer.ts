/** JSON pointers (RFC 6901) over a tree of ranges. */
import type { Json } from "./tree";

/** The steps of a pointer, decoded. */
export function pointerSteps(pointer: string): string[] {
	return pointer
		.split("/")
		.slice(1)
		.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A key as a step of a pointer. */
export function pointerStep(key: string): string {
	return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The value that a pointer leads to; of duplicate keys the last. */
export function atPointer(json: Json | null, pointer: string): Json | null {
	let here = json;
	for (const step of pointerSteps(pointer)) {
		if (!here) return null;
		here =
			here.kind === "array"
				? (here.items[Number(step)] ?? null)
				: (here.members.findLast(({ key }) => key === step)?.value ?? null);
	}
	return here;
}
