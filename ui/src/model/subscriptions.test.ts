import { expect, it } from "vitest";
import type { SubscriptionRow } from "../ipc/bindings/SubscriptionRow";
import { about, isOpen, standing, withheld } from "./subscriptions";

const row = (change: Partial<SubscriptionRow>): SubscriptionRow => ({
	seq: 1,
	uris: ["a://1", "a://2"],
	lists: ["tools"],
	granted: null,
	state: "active",
	message: null,
	updates: 0,
	last_us: null,
	last_seq: null,
	...change,
});

it.each([
	[row({ state: "asking" }), "asked, not confirmed yet", true],
	[row({}), "0 updates", true],
	[row({ updates: 1, last_us: 5e6 }), "1 update, last 3 s ago", true],
	[row({ state: "refused", message: "-32601 no" }), "refused: -32601 no", false],
	[row({ state: "ended", updates: 2, last_us: 8e6 }), "ended after 2 updates, last 0 s ago", false],
])("%o: %s", (subscription, words, open) => {
	expect(standing(subscription, 8e6)).toBe(words);
	expect(isOpen(subscription)).toBe(open);
});

it("names what the server does not honour", () => {
	expect(about(row({}))).toEqual(["a://1", "a://2", "list of tools"]);
	expect(withheld(row({}))).toEqual([]);
	expect(withheld(row({ granted: { uris: ["a://2"], lists: [] } }))).toEqual(["a://1", "list of tools"]);
});
