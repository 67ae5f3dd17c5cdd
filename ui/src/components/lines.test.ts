import { expect, it } from "vitest";
import { below } from "./lines";

it("puts slices of lines below each other, empty lines and empty slices too", () => {
	let text = null;
	for (const slice of [[], ["a", "b"], [""], [], ["c"]]) text = below(text, slice);
	expect(text?.toString()).toBe("a\nb\n\nc");
});
