import { beforeEach, expect, it, vi } from "vitest";
import { FakeBackend } from "../ipc/fake";
import { asksInput, BothEras, waits } from "./bothEras";

const DRAFT = { method: "tools/call", params: "{}", timeout_ms: null, headers: [] };

let backend: FakeBackend;
let both: BothEras;
let live: string;

beforeEach(async () => {
	// Its log holds a call of three rounds: requests #20, #26 and #29.
	backend = new FakeBackend(new URLSearchParams("scenario=rounds"));
	both = new BothEras(backend);
	const { rows } = await backend.call("list_sessions", { query: "", limit: 9 });
	live = rows.find((row) => row.ended_us === null)?.id ?? "";
	const { call } = backend;
	backend.call = (name, args) =>
		name === "call_both_eras"
			? (Promise.resolve({
					legacy: { session: live, seq: 22, problem: null },
					modern: { session: live, seq: 20, problem: null },
				}) as never)
			: call.call(backend, name, args);
});

it("follows the rounds of one side to its final answer", async () => {
	await both.send("s1", live, "orders.refund", DRAFT);
	const modern = () => both.of("s1")?.sides?.modern;
	await vi.waitFor(() => expect(modern()?.seq).toBe(29));
	await vi.waitFor(() => expect(modern()?.answer).not.toBeNull());
	expect(modern()?.round).toBe(3);
	expect(modern() && asksInput(modern() as never)).toBe(false);
	expect(both.of("s1")?.sides?.legacy).toMatchObject({ seq: 22, round: 1 });
	expect(Object.values(both.of("s1")?.sides ?? {}).some(waits)).toBe(false);
});

it("follows a call no more that was put away", async () => {
	const stop = both.subscribe(() => {
		const side = both.of("s1")?.sides?.modern;
		if (side && asksInput(side)) both.close("s1");
	});
	await both.send("s1", live, "orders.refund", DRAFT);
	stop();
	const call = vi.spyOn(backend, "call");
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(both.of("s1")).toBeNull();
	expect(call.mock.calls.filter(([name]) => name === "await_outcome")).toEqual([]);
});
