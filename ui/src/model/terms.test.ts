import { describe, expect, it } from "vitest";
import type { RecordRow } from "../ipc/bindings/RecordRow";
import { partsOf, quickTerms, termsOf, withTerm } from "./terms";

describe("terms of a filter", () => {
	it.each([
		["", []],
		["  kind:error   dur:>5s ", ["kind:error", "dur:>5s"]],
		['method:"a b" -"c \\" d" e', ['method:"a b"', '-"c \\" d"', "e"]],
		['"open', ['"open']],
		["at:last 5m kind:error", ["at:last 5m", "kind:error"]],
	])("%j", (filter, terms) => expect(termsOf(filter)).toEqual(terms));

	it.each([
		["-method:completion/*", ["-method:", "completion/*"]],
		["-noise", ["-", "noise"]],
		["http://x", ["http:", "//x"]],
		["word", ["", "word"]],
	])("parts of %j", (term, parts) => expect(partsOf(term)).toEqual(parts));

	it("is not repeated", () => {
		expect(withTerm("kind:error", "kind:error")).toBe("kind:error");
		expect(withTerm("kind:error", "-has:late")).toBe("kind:error -has:late");
	});
});

describe("terms of a cell", () => {
	const row: RecordRow = {
		seq: 34,
		at_us: Date.UTC(2026, 10, 29, 12) * 1000,
		gap_us: 1,
		conn: 1,
		kind: "request",
		direction: "c2s",
		method: "tools/call",
		summary: 'orders.create {"sku":1}',
		id: "22",
		reply_to: null,
		answer: 38,
		dur_us: 48_200,
		verdict: "is-error",
		code: null,
		size: 598,
		about: null,
		via: null,
		flags: ["redacted"],
		whole: null,
	};
	it.each<[string, Partial<RecordRow>, string[]]>([
		["kind", {}, ["kind:request"]],
		["method", {}, ["method:tools/call"]],
		["method", { method: 'odd "name", x' }, ['method:"odd \\"name\\", x"']],
		["id", { id: '"a b"' }, ['id:"a b"']],
		["direction", {}, ["dir:c2s"]],
		["duration", {}, ["status:iserror"]],
		["duration", { kind: "http", code: 404, verdict: null }, ["status:404"]],
		["size", {}, ["size:>=598"]],
		["summary", {}, ['"orders.create"', "has:redacted"]],
	])("%s %j", (column, change, terms) => expect(quickTerms({ ...row, ...change }, column)).toEqual(terms));

	it("are those of the whole row where the cell gives none", () => {
		expect(quickTerms(row, null)).toContain("kind:request");
		expect(quickTerms(row, null)).toContain("has:redacted");
		expect(quickTerms({ ...row, method: null }, "method")).not.toContain("method:null");
	});
});
