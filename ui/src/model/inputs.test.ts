import { expect, it } from "vitest";
import type { Backend, Commands, Events } from "../ipc/backend";
import type { InputRow } from "../ipc/bindings/InputRow";
import type { PendingRow } from "../ipc/bindings/PendingRow";
import type { RequestDraft } from "../ipc/bindings/RequestDraft";
import { CallStore } from "./calls";
import { addressOf, InputStore, questionOf } from "./inputs";

/** A host whose answer is held back, and a way to tell it events. */
function held() {
	let give: (rows: never[]) => void = () => undefined;
	const on = new Map<string, (payload: never) => void>();
	const backend: Backend = {
		call: <K extends keyof Commands>() =>
			new Promise<Commands[K]["answer"]>((resolve) => {
				give = resolve as never;
			}),
		listen: async (name, listener) => {
			on.set(name, listener as never);
			return () => undefined;
		},
	};
	const tell = <K extends keyof Events>(name: K, payload: Events[K]) => on.get(name)?.(payload as never);
	return { backend, tell, answer: (rows: unknown[]) => give(rows as never[]) };
}

const asked = (params: unknown) =>
	({ seq: 7, key: null, method: "elicitation/create", params: JSON.stringify(params) }) as InputRow;

it("a question that came while the list was read is not lost", async () => {
	const host = held();
	const store = new InputStore(host.backend);
	const watching = store.watch("s");
	host.tell("inputs-changed", { session: "s", inputs: [asked({})] });
	host.answer([]);
	await watching;
	expect(store.of("s").map((row) => row.seq)).toEqual([7]);
	const again = store.watch("s");
	host.answer([]);
	await again;
	expect(store.of("s")).toEqual([]);
});

it("a call that began while the list was read is not lost", async () => {
	const host = held();
	const store = new CallStore(host.backend);
	const watching = store.watch("s");
	host.tell("pending-changed", { session: "s", pending: [{ seq: 3 } as PendingRow] });
	host.answer([]);
	await watching;
	expect(store.pending("s").map((row) => row.seq)).toEqual([3]);
});

it("a call that is read again does not push away the one that was settled meanwhile", async () => {
	const gives = new Map<number, () => void>();
	const store = new CallStore({
		call: (name: string, args: unknown) =>
			new Promise((resolve) => {
				if (name === "send_request") return resolve({ seq: gives.size + 1 });
				const { seq } = args as { seq: number };
				gives.set(seq, () => resolve({ request: { seq }, answer: null, verdict: "cancelled" }));
			}),
		listen: async () => () => undefined,
	} as unknown as Backend);
	const draft = {} as RequestDraft;
	await store.send("s", draft);
	gives.get(1)?.();
	await expect.poll(() => store.settled("s")?.request.seq).toBe(1);
	const again = store.reread("s", 1);
	const late = gives.get(1);
	await store.send("s", draft);
	gives.get(2)?.();
	await expect.poll(() => store.settled("s")?.request.seq).toBe(2);
	late?.();
	await again;
	expect(store.settled("s")?.request.seq).toBe(2);
});

it("an elicitation without a mode is a form, and one with a URL says where it leads", () => {
	const requestedSchema = { type: "object" };
	expect(questionOf(asked({ message: "Who?", requestedSchema }))).toEqual({
		kind: "form",
		message: "Who?",
		schema: '{"type":"object"}',
	});
	expect(questionOf(asked({ mode: "url", message: "Go", url: "https://a.test/x" })).kind).toBe("url");
});

it.each([
	["https://bank.example.com/consent?id=7", "bank.example.com", 0],
	["HTTPS://EXAMPLE.com", "EXAMPLE.com", 0],
	["http://127.0.0.1:80/x", "127.0.0.1:80", 1],
	["https://bank.example.com@evil.example/x", "bank.example.com@evil.example", 1],
	["https://xn--bnk-5qa.example/", "xn--bnk-5qa.example", 1],
	["https://b\u0430nk.example/", "b\u0430nk.example", 1],
	["https://a\\@b/", "a", 0],
	["javascript:alert(1)", "", 1],
])("%s shows %s, with %d warnings", (url, host, warnings) => {
	const address = addressOf(url);
	expect(address.before + address.host + address.after).toBe(url);
	expect([address.host, address.warnings.length]).toEqual([host, warnings]);
});
