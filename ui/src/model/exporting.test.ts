import { beforeEach, expect, it, vi } from "vitest";
import { FakeBackend } from "../ipc/fake";
import { ExportStore } from "./exporting";
import { passphraseProblem } from "./passphrase";

let backend: FakeBackend;
let store: ExportStore;
let live: string;

beforeEach(async () => {
	backend = new FakeBackend(new URLSearchParams("scenario=secrets"));
	store = new ExportStore(backend);
	const { rows } = await backend.call("list_sessions", { query: "", limit: 9 });
	live = rows.find((row) => row.ended_us === null)?.id ?? "";
});

const settled = () => vi.waitFor(() => expect(store.looking).toBe(false));

it("begins with the default rules, and says what they change before anything is written", async () => {
	await store.open([live]);
	expect(store.rules.keys).toContain("password");
	expect(store.hits("key", "password")?.hits).toBe(1);
	expect(store.preview?.samples.map(({ after }) => after).join()).not.toContain("hunter2");
	expect(store.done).toBeNull();
});

it("keeps the user's own rules for the next export", async () => {
	await store.open([live]);
	store.addRule("value");
	store.setRule("value", store.rules.values.length - 1, " ada@[a-z.]+ ");
	await settled();
	expect(store.hits("value", "ada@[a-z.]+")?.hits).toBe(2);
	store.removeRule("key", 0);
	await settled();
	const again = new ExportStore(backend);
	await again.open([live]);
	expect(again.rules.values).toContain("ada@[a-z.]+");
	expect(again.rules.keys).not.toContain("password");
	await again.resetRules();
	expect(again.rules.keys).toContain("password");
});

it("reads kept rules that are damaged as far as they can be read", async () => {
	await backend.call("set_setting", { key: "export.redact", value: { keys: ["pin", 7], values: "x" } });
	await store.open([live]);
	expect(store.rules).toEqual({ keys: ["pin"], headers: [], values: [], paths: [] });
});

it("writes nothing while a rule cannot be read, or what would be written is not known", async () => {
	await store.open([live]);
	store.addRule("value");
	store.setRule("value", store.rules.values.length - 1, "[a-z");
	expect(store.blocked).toContain("not known yet");
	await settled();
	expect(store.blocked).toContain("[a-z");
	await store.run();
	expect(store.done).toBeNull();
});

it("is blocked where the preview failed: what would be left in it is not known", async () => {
	vi.spyOn(backend, "call").mockRejectedValue({ code: "internal", message: "the log cannot be read" });
	await store.open([live]);
	expect(store.failure).toBe("the log cannot be read");
	expect(store.blocked).not.toBeNull();
});

it("encrypts to a passphrase that was typed twice, and forgets it", async () => {
	await store.open([live]);
	store.setEncrypt(true);
	expect(store.blocked).toContain("at least 8");
	store.setPassphrase("correct horse", "correct hors");
	expect(store.blocked).toContain("differ");
	store.setPassphrase("correct horse", "correct horse");
	const call = vi.spyOn(backend, "call");
	await store.run();
	expect(call).toHaveBeenCalledWith("export_session", {
		session: live,
		options: expect.objectContaining({ passphrase: "correct horse" }),
	});
	expect(store.done?.paths[0]).toMatch(/\.jsonl\.age$/);
	expect([store.passphrase, store.repeated]).toEqual(["", ""]);
});

it("says how many sessions were not written where the user cancelled", async () => {
	await store.open([live, live, live]);
	const paths = ["/a.jsonl", null];
	const { call } = backend;
	vi.spyOn(backend, "call").mockImplementation((name, args) =>
		name === "export_session" ? Promise.resolve(paths.shift() as never) : call.call(backend, name, args),
	);
	await store.run();
	expect(store.done).toEqual({ paths: ["/a.jsonl"], encrypted: false, left: 2 });
});

it.each([
	["short", "short", "at least 8"],
	["12345678", "1234567", "differ"],
	["🐴🐴🐴🐴", "🐴🐴🐴🐴", "at least 8"],
	["12345678", "12345678", null],
])("a new passphrase %s, then %s", (first, second, problem) => {
	const said = passphraseProblem(first, second);
	if (problem === null) expect(said).toBeNull();
	else expect(said).toContain(problem);
});
