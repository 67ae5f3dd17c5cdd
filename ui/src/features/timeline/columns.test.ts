import { describe, expect, it } from "vitest";
import { COLUMNS, layoutOf, widthOf } from "./columns";

const column = (id: string) => {
	const found = COLUMNS.find((one) => one.id === id);
	if (!found) throw new Error(`no column ${id}`);
	return found;
};

describe("the columns", () => {
	it("are all there at first, and Summary takes the slack", () => {
		const layout = layoutOf({}, 50);
		expect(layout.shown.length).toBe(COLUMNS.length);
		expect(layout.template).toContain("minmax(120px, 1fr)");
		expect(layout.span).toBe(4);
	});

	it("leave their room to the others where they are hidden", () => {
		const layout = layoutOf({ gap: 0, id: 0, summary: 0 }, 50);
		expect(layout.has.has("gap")).toBe(false);
		expect(layout.has.has("summary")).toBe(true);
		expect(layout.span).toBe(3);
		expect(layoutOf({}, 50).least - layout.least).toBe(column("gap").width + column("id").width);
	});

	it("have a width within bounds, and their own again once shown", () => {
		expect(widthOf(column("method"), { method: 5000 })).toBe(600);
		expect(widthOf(column("method"), { method: -4 })).toBe(20);
		expect(widthOf(column("method"), { method: 0 })).toBe(column("method").width);
	});

	it("give long numbers room", () => {
		expect(layoutOf({}, 1_204_331).template.startsWith("77px")).toBe(true);
		expect(layoutOf({ number: 90 }, 5).template.startsWith("90px")).toBe(true);
	});
});
