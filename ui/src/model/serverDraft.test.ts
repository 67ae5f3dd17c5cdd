import { describe, expect, it } from "vitest";
import type { ServerRow } from "../ipc/bindings/ServerRow";
import { milliseconds } from "./format";
import {
	draftOf,
	draftOfPasted,
	isDirty,
	readValues,
	retarget,
	soundsSecret,
	type Typed,
	timeoutOf,
	typedOf,
} from "./serverDraft";

const SERVER = {
	id: "s",
	name: "orders",
	transport: "stdio",
	target: "uv run orders",
	cwd: null,
	env: [
		{ name: "TOKEN", value: "••••9999", kept: "keychain" },
		{ name: "LEVEL", value: "debug", kept: "catalogue" },
	],
	headers: [],
	era: "modern",
	timeout_ms: 90_000,
	reconnect: true,
	ca: null,
	watch: ["dist"],
	total_ms: null,
	start_ms: 120_000,
	grace_ms: 0,
	unconfirmed: false,
} as unknown as ServerRow;

const env = (typed: Typed) => {
	const { target } = draftOf(typed, SERVER);
	return target.transport === "stdio" ? target.env : [];
};

describe("a stored secret", () => {
	const [token, level] = typedOf(SERVER).env;
	if (!token || !level) throw new Error("two rows");
	const cases: [what: string, change: Partial<typeof token>, saved: object][] = [
		["is left as it is", {}, { name: "TOKEN", value: null, secret: true }],
		["is replaced by what is typed", { value: "new" }, { name: "TOKEN", value: "new", secret: true }],
		["is not carried to another name", { name: "OTHER" }, { name: "OTHER", value: "", secret: true }],
		[
			"becomes plain only with what is typed",
			{ secret: false, value: "" },
			{ name: "TOKEN", value: "", secret: false },
		],
	];
	it.each(cases)("%s", (_, change, saved) => {
		expect(env({ ...typedOf(SERVER), env: [{ ...token, ...change }, level] })[0]).toEqual(saved);
	});

	it("is never its mask", () => {
		expect(JSON.stringify(draftOf(typedOf(SERVER), SERVER))).not.toContain("••••");
	});
});

describe("a form", () => {
	it("starts with what is saved, and is not changed by that", () => {
		const typed = typedOf(SERVER);
		expect([typed.line, typed.era, typed.timeout]).toEqual(["uv run orders", "modern", "90 s"]);
		expect(isDirty(typed, SERVER)).toBe(false);
		expect(isDirty({ ...typed, cwd: "/tmp" }, SERVER)).toBe(true);
	});

	it("takes a URL for Streamable HTTP, and keeps the command line", () => {
		const typed = retarget(typedOf(SERVER), "https://mcp.example.com/mcp");
		expect([typed.reach, typed.url, typed.line]).toEqual([
			"http",
			"https://mcp.example.com/mcp",
			"uv run orders",
		]);
	});
});

describe("a time-out", () => {
	const cases: [text: string, ms: number | null][] = [
		["30", 30_000],
		["30 s", 30_000],
		["1.5s", 1500],
		["500 ms", 500],
		["2 min", 120_000],
		["24 h", 86_400_000],
		["25 h", null],
		["0", null],
		["soon", null],
		["", null],
		["-1 s", null],
	];
	it.each(cases)("%s", (timeout, ms) => expect(timeoutOf({ ...typedOf(null), timeout })).toBe(ms));

	it("is written as it is read", () => {
		for (const ms of [1, 999, 1000, 30_000, 60_000, 90_000, 3_600_000]) {
			const { timeout } = typedOf({ ...SERVER, timeout_ms: ms });
			expect(milliseconds(timeout)).toBe(ms);
		}
	});
});

describe("pasted rows", () => {
	const cases: [text: string, rows: [name: string, value: string, secret: boolean][] | null][] = [
		[
			"A=1\nAPI_KEY='x y'",
			[
				["A", "1", false],
				["API_KEY", "x y", true],
			],
		],
		["# no\nexport A=1=2\n", [["A", "1=2", false]]],
		["x-tenant: acme", [["x-tenant", "acme", false]]],
		["Authorization: Bearer a:b", [["Authorization", "Bearer a:b", true]]],
		["EMPTY=", [["EMPTY", "", false]]],
		["LOG_LEVEL", null],
		["two words", null],
		["", null],
	];
	it.each(cases)("%j", (text, rows) => {
		expect(readValues(text)?.map(({ name, value, secret }) => [name, value, secret]) ?? null).toEqual(rows);
	});
});

it("knows names that sound secret", () => {
	const yes = [
		"GITHUB_TOKEN",
		"api-key",
		"API_KEY",
		"DB_PASSWORD",
		"authorization",
		"Cookie",
		"client_secret",
	];
	const no = ["LOG_LEVEL", "PATH", "KEYBOARD", "x-tenant", "AUTHOR"];
	expect(yes.filter((name) => !soundsSecret(name))).toEqual([]);
	expect(no.filter(soundsSecret)).toEqual([]);
});

it("a pasted server asks before its first start, its secrets marked", () => {
	const draft = draftOfPasted({
		name: "everything",
		transport: "stdio",
		command_line: "npx everything",
		argv: ["npx", "everything"],
		url: "",
		env: [{ name: "API_KEY", value: "x", secret: true }],
		headers: [],
		cwd: "/src",
		problem: null,
	});
	expect(draft.unconfirmed).toBe(true);
	expect(draft.target).toEqual({
		transport: "stdio",
		command_line: "npx everything",
		env: [{ name: "API_KEY", value: "x", secret: true }],
		cwd: "/src",
	});
});
