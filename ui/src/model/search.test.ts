import { describe, expect, it, vi } from "vitest";
import type { Backend } from "../ipc/backend";
import type { HitRow } from "../ipc/bindings/HitRow";
import type { SearchFound } from "../ipc/bindings/SearchFound";
import { SearchStore } from "./search";

const hit = (session: string, seq: number) => ({ session, seq }) as HitRow;
const event = (change: Partial<SearchFound>): SearchFound => ({
	search: 1,
	hits: [],
	sessions: 0,
	records: 0,
	of_sessions: 9,
	done: false,
	limited: false,
	problems: [],
	...change,
});

function setUp(start: () => number | Promise<number> = () => 1) {
	const calls: string[] = [];
	const backend: Backend = {
		call: async (name) => {
			calls.push(name);
			if (name === "start_search") return (await start()) as never;
			return { server_name: "orders" } as never;
		},
		listen: async () => () => undefined,
	};
	let clock = 0;
	const store = new SearchStore(backend, () => {
		clock += 10;
		return clock;
	});
	return { store, calls };
}

describe("a search", () => {
	it("groups hits by session as they come", async () => {
		const { store } = setUp();
		await store.start("locked");
		store.take(event({ hits: [hit("a", 1), hit("a", 2)], sessions: 1, records: 40 }));
		store.take(event({ hits: [hit("b", 3)], sessions: 2, records: 70 }));
		store.take(event({ sessions: 9, records: 100, done: true }));
		expect(store.groups.map(({ session, hits }) => [session, hits.length])).toEqual([
			["a", 2],
			["b", 1],
		]);
		expect([store.hits, store.sessions, store.records, store.running]).toEqual([3, 9, 100, false]);
		await vi.waitFor(() => expect(store.groups[0]?.row?.server_name).toBe("orders"));
	});

	it("takes events that overtake the answer with its number, and no others", async () => {
		let answer: (search: number) => void = () => undefined;
		const { store } = setUp(() => new Promise((resolve) => (answer = resolve)));
		const started = store.start("locked");
		store.take(event({ search: 2, hits: [hit("a", 1)] }));
		store.take(event({ search: 1, hits: [hit("z", 1)] }));
		answer(2);
		await started;
		expect(store.groups.map(({ session }) => session)).toEqual(["a"]);
	});

	it("keeps what it found when it is stopped, and takes nothing more", async () => {
		const { store, calls } = setUp();
		await store.start("locked");
		store.take(event({ hits: [hit("a", 1)] }));
		await store.stop();
		store.take(event({ hits: [hit("b", 1)] }));
		expect([store.hits, store.running, store.stopped]).toEqual([1, false, true]);
		expect(calls).toContain("stop_search");
	});

	it("says why it could not be made", async () => {
		const { store } = setUp(() => {
			throw { code: "invalid_config", message: "There is no key “colour”." };
		});
		await store.start("colour:red");
		expect([store.failure, store.running]).toEqual(["There is no key “colour”.", false]);
	});

	it("is forgotten when another one begins, its answer included", async () => {
		const answers: ((search: number) => void)[] = [];
		const { store } = setUp(() => new Promise((resolve) => answers.push(resolve)));
		const first = store.start("one");
		const second = store.start("two");
		answers[1]?.(2);
		answers[0]?.(1);
		await Promise.all([first, second]);
		store.take(event({ search: 1, hits: [hit("old", 1)] }));
		store.take(event({ search: 2, hits: [hit("new", 1)] }));
		expect(store.query).toBe("two");
		expect(store.groups.map(({ session }) => session)).toEqual(["new"]);
	});
});
