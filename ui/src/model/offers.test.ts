import { expect, it } from "vitest";
import { FakeBackend } from "../ipc/fake";
import { OfferStore } from "./offers";

it("keeps what it knows while it reads, when the connection is gone, and reads again what has changed", async () => {
	const backend = new FakeBackend();
	const offers = new OfferStore(backend);
	const [row] = (await backend.call("list_servers", {})).filter(({ session }) => session !== null);
	const session = row?.session?.id ?? "";
	expect(offers.of("s 1", "prompts")).toMatchObject({ session: null, items: [] });
	await offers.read("s 1", session, "prompts");
	expect(offers.of("s 1", "prompts").items.length).toBe(4);
	expect(offers.of("s 1", "prompts").problems.length).toBe(1);
	expect(offers.of("other", "prompts").session).toBeNull();

	const { call } = backend;
	let asked = 0;
	backend.call = (name, args) => {
		if (name === "list_offers") asked += 1;
		return call.call(backend, name, args) as never;
	};
	backend.emit("lists-changed", { session: "another" });
	expect(asked).toBe(0);
	backend.emit("lists-changed", { session });
	expect([asked, offers.of("s 1", "prompts").loading]).toEqual([1, true]);
	expect(offers.of("s 1", "prompts").items.length).toBe(4);

	backend.crash(session);
	await offers.read("s 1", session, "prompts");
	expect(offers.of("s 1", "prompts")).toMatchObject({
		loading: false,
		failure: expect.stringContaining("closed"),
	});
	expect(offers.of("s 1", "prompts").items.length).toBe(4);
});
