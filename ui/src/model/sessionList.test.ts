import { describe, expect, it } from "vitest";
import type { SessionRow } from "../ipc/bindings/SessionRow";
import { type Sort, sorted } from "./sessionList";

const NOW = 1000e6;
const row = (id: string, started: number, change: Partial<SessionRow> = {}) =>
	({
		id,
		server_name: id,
		number: 1,
		name: null,
		origin: "app",
		revision: null,
		started_us: started * 1e6,
		ended_us: (started + 10) * 1e6,
		frames: 0,
		errors: 0,
		bytes: 0,
		tags: [],
		conn: { state: "closed", outcome: "closed", crashed: false, at_us: 0 },
		...change,
	}) as SessionRow;

const ROWS = [
	row("c", 300, { frames: 5, tags: ["ci"] }),
	row("b", 200, { frames: 90, ended_us: null, conn: { state: "connected", since_us: 0 } }),
	row("a", 100, { frames: 5, name: "Zebra", errors: 2 }),
];

describe("sorting", () => {
	const cases: [sort: Sort, order: string][] = [
		[{ key: "started", down: true }, "cba"],
		[{ key: "started", down: false }, "abc"],
		[{ key: "session", down: false }, "bca"],
		[{ key: "frames", down: true }, "bca"],
		[{ key: "frames", down: false }, "cab"],
		[{ key: "errors", down: true }, "acb"],
		[{ key: "duration", down: true }, "bca"],
		[{ key: "tags", down: true }, "cba"],
		[{ key: "ended", down: false }, "cab"],
	];
	it.each(cases)("by %o gives %s", (sort, order) => {
		expect(
			sorted(ROWS, sort, NOW)
				.map(({ id }) => id)
				.join(""),
		).toBe(order);
	});

	it("puts the tenth session of a server after its ninth", () => {
		const rows = [row("s", 1, { id: "10", number: 10 }), row("s", 2, { id: "9", number: 9 })];
		expect(sorted(rows, { key: "session", down: false }, NOW).map(({ id }) => id)).toEqual(["9", "10"]);
	});
});
