import { describe, expect, it } from "vitest";
import { ScrollScale } from "./scrollScale";

const ROW = 22;

describe("a list that fits", () => {
	it("scrolls pixel for pixel", () => {
		const list = new ScrollScale();
		list.resize(100 * ROW, 220);
		expect(list.scrolled(300)).toBeNull();
		expect([list.top, list.offset, list.end]).toEqual([300, 0, 100 * ROW - 220]);
	});
});

describe("a list taller than an element can be", () => {
	const open = () => {
		const list = new ScrollScale(10_000);
		list.resize(1_000_000 * ROW, 220);
		return list;
	};

	it("takes a jump of the thumb by proportion, to the last row", () => {
		const list = open();
		list.scrolled(list.height - 220);
		expect(list.top).toBe(list.end);
		list.scrolled((list.height - 220) / 2);
		expect(list.top).toBeCloseTo(list.end / 2, 0);
	});

	it("takes a turn of the wheel pixel for pixel", () => {
		const list = open();
		const from = list.go(5_000_000);
		list.scrolled(from + 66);
		expect(list.top).toBe(5_000_066);
	});

	it("shows every row by small movements alone, past the element's ends", () => {
		const list = open();
		let at = list.go(list.end - 5000);
		for (let i = 0; i < 60; i += 1) {
			at = Math.min(at + 100, list.height - 220);
			at = list.scrolled(at) ?? at;
		}
		expect(list.top, "the end is reached").toBe(list.end);
		at = list.go(5000);
		for (let i = 0; i < 400; i += 1) {
			at = Math.max(at - 100, 0);
			at = list.scrolled(at) ?? at;
		}
		expect(list.top, "the start is reached").toBe(0);
	});

	it("keeps its place when rows come", () => {
		const list = open();
		list.go(5_000_000);
		list.resize(1_000_500 * ROW, 220);
		expect(list.top).toBe(5_000_000);
	});
});
