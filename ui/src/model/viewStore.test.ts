import { describe, expect, it } from "vitest";
import type { Backend, Commands } from "../ipc/backend";
import type { RecordRow } from "../ipc/bindings/RecordRow";
import type { RecordsAppended } from "../ipc/bindings/RecordsAppended";
import { ViewStore } from "./viewStore";

const row = (seq: number, change: Partial<RecordRow> = {}) =>
	({ seq, summary: `row ${seq}`, ...change }) as RecordRow;
const rows = (from: number, n: number) => Array.from({ length: n }, (_, i) => row(from + i + 1));

const event = (change: Partial<RecordsAppended>): RecordsAppended => ({
	view: 7,
	total: 0,
	log_total: 0,
	first: 0,
	rows: [],
	changed: [],
	reset: false,
	...change,
});

/** A host whose log has `size` rows, and a store that draws when told to. */
function setUp(total: number, size = total) {
	const host = { size, calls: [] as { name: string; args: unknown }[] };
	const backend: Backend = {
		call: async (name, args) => {
			host.calls.push({ name, args });
			if (name !== "view_rows") return null as never;
			const { from, n } = args as Commands["view_rows"]["args"];
			return rows(from, Math.max(0, Math.min(n, host.size - from))) as never;
		},
		listen: async () => () => undefined,
	};
	const frames: (() => void)[] = [];
	const view = { view: 7, total, log_total: total, problem: null };
	const store = new ViewStore(backend, view, (draw) => frames.push(draw));
	let drawn = 0;
	store.subscribe(() => {
		drawn += 1;
	});
	return {
		store,
		host,
		drawn: () => drawn,
		frame: () => {
			for (const draw of frames.splice(0)) draw();
		},
		acks: () =>
			host.calls.filter((call) => call.name === "ack").map((call) => (call.args as { total: number }).total),
		pulls: () =>
			host.calls
				.filter((call) => call.name === "view_rows")
				.map((call) => (call.args as { from: number }).from),
		seqs: (from: number, to: number) => Array.from({ length: to - from }, (_, i) => store.row(from + i)?.seq),
	};
}

const settled = async () => {
	for (let i = 0; i < 20; i += 1) await Promise.resolve();
};

describe("rows that come on events", () => {
	it("are appended in order and acknowledged, without a pull", async () => {
		const { store, acks, pulls, seqs } = setUp(0);
		store.want(0, 10);
		store.apply(event({ total: 3, log_total: 3, first: 0, rows: rows(0, 3) }));
		store.apply(event({ total: 5, log_total: 5, first: 3, rows: rows(3, 2) }));
		await settled();
		expect(seqs(0, 5)).toEqual([1, 2, 3, 4, 5]);
		expect(acks()).toEqual([3, 5]);
		expect(pulls(), "all rows were on the events").toEqual([]);
	});

	it("notify once a frame, however many they are", () => {
		const { store, drawn, frame } = setUp(0);
		for (let i = 0; i < 50; i += 1) store.apply(event({ total: i + 1, first: i, rows: rows(i, 1) }));
		expect(drawn()).toBe(0);
		frame();
		expect(drawn()).toBe(1);
	});

	it("of another view are not for it", () => {
		const { store, acks } = setUp(2);
		store.apply(event({ view: 8, total: 9, rows: rows(2, 1), first: 2 }));
		expect(store.total).toBe(2);
		expect(acks()).toEqual([]);
	});

	it("that were overtaken neither shorten the list nor undo rows", () => {
		const { store, seqs } = setUp(0);
		store.apply(event({ total: 4, log_total: 4, first: 0, rows: rows(0, 4) }));
		store.apply(event({ total: 2, log_total: 2, first: 0, rows: rows(0, 2) }));
		expect(store.total).toBe(4);
		expect(seqs(0, 4)).toEqual([1, 2, 3, 4]);
	});

	it("change earlier rows in place", () => {
		const { store } = setUp(0);
		store.apply(event({ total: 2, rows: rows(0, 2) }));
		store.apply(event({ total: 2, changed: [row(1, { answer: 2 })] }));
		expect(store.row(0)?.answer).toBe(2);
	});
});

describe("rows that are missing", () => {
	it("are pulled where an event left a gap", async () => {
		const { store, host, pulls, seqs } = setUp(2);
		store.want(0, 10);
		await settled();
		host.size = 6;
		store.apply(event({ total: 6, log_total: 6, first: 5, rows: rows(5, 1) }));
		await settled();
		expect(pulls().length).toBeGreaterThan(1);
		expect(seqs(0, 6)).toEqual([1, 2, 3, 4, 5, 6]);
	});

	it("are pulled where an event carries none", async () => {
		const { store, host, acks, seqs } = setUp(0);
		host.size = 1000;
		store.apply(event({ total: 1000, log_total: 1000, first: 0 }));
		expect(acks()).toEqual([1000]);
		store.want(980, 1000);
		await settled();
		expect(seqs(998, 1000)).toEqual([999, 1000]);
		expect(store.row(0), "what is not in sight is not pulled").toBeUndefined();
	});

	it("are all read again after a reset, and late answers of before are dropped", async () => {
		const { store, host, seqs } = setUp(3);
		store.want(0, 10);
		host.size = 1;
		store.apply(event({ total: 1, log_total: 3, reset: true }));
		await settled();
		expect(store.total).toBe(1);
		expect(seqs(0, 3)).toEqual([1, undefined, undefined]);
	});

	it("that the host does not give are not asked for without end", async () => {
		const { store, host, pulls, frame } = setUp(50);
		host.size = 10;
		store.want(0, 50);
		await settled();
		frame();
		store.want(0, 50);
		await settled();
		expect(pulls()).toEqual([0]);
	});

	it("keep memory flat: the oldest pages go", async () => {
		const { store, host } = setUp(0);
		host.size = 60_000;
		for (let i = 0; i < 60_000; i += 500)
			store.apply(event({ total: i + 500, first: i, rows: rows(i, 500) }));
		expect(store.row(0)).toBeUndefined();
		expect(store.row(59_999)?.seq).toBe(60_000);
	});
});

it("drops what arrives after it was closed", async () => {
	const { store, drawn, frame, acks } = setUp(1);
	store.want(0, 1);
	store.close();
	await settled();
	store.apply(event({ total: 9, rows: rows(1, 1), first: 1 }));
	frame();
	expect([drawn(), store.total, acks().length]).toEqual([0, 1, 0]);
});
