import { describe, expect, it } from "vitest";
import { bytes, clock, count, duration, exactTime, gap, lasting } from "./format";

/** Times are written in the machine's zone; the tests speak of it as it is. */
const at = (h: number, m: number, s: number, us: number) =>
	new Date(2026, 10, 29, h, m, s).getTime() * 1000 + us;
const plain = (text: string) => text.replaceAll("\u00a0", " ");

describe("numbers", () => {
	it.each([
		[0, "0"],
		[999, "999"],
		[1204, "1 204"],
		[18_440, "18 440"],
		[1_000_000, "1 000 000"],
	])("count %d is %s", (n, text) => expect(plain(count(n))).toBe(text));

	it.each([
		[0, "0 B"],
		[598, "598 B"],
		[999, "999 B"],
		[1000, "1.0 kB"],
		[1312, "1.3 kB"],
		[9949, "9.9 kB"],
		[9951, "10 kB"],
		[212_000, "212 kB"],
		[999_600, "1.0 MB"],
		[10_400_000, "10 MB"],
	])("%d bytes are %s", (n, text) => expect(plain(bytes(n))).toBe(text));

	it.each([
		[0, "0 µs"],
		[412, "412 µs"],
		[4_000, "4.00 ms"],
		[17_240, "17.2 ms"],
		[99_949, "99.9 ms"],
		[99_951, "100 ms"],
		[722_000, "722 ms"],
		[1_465_000, "1.465 s"],
		[12_400_000, "12.4 s"],
		[59_960_000, "1m 00s"],
		[252_000_000, "4m 12s"],
		[7_500_000_000, "2h 05m"],
	])("%d µs are %s", (us, text) => expect(plain(duration(us))).toBe(text));
});

describe("times", () => {
	it("are of the day, to the millisecond", () => expect(clock(at(14, 2, 9, 918_123))).toBe("14:02:09.918"));
	it("are exact to the microsecond in details", () =>
		expect(exactTime(at(14, 2, 9, 918_007))).toBe("2026-11-29 14:02:09.918007"));
	it("name the gap to the record above, and none for the first", () => {
		expect(plain(gap(21_000))).toBe("+21.0 ms");
		expect(gap(null)).toBe("");
	});
	it("say how long something lasts", () => expect(lasting(252_000_000)).toBe("4 min 12 s"));
});
