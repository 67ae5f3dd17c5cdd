/** The Server tab. */
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import type { ClientDraft } from "../ipc/bindings/ClientDraft";
import type { RootRow } from "../ipc/bindings/RootRow";
import { FakeBackend } from "../ipc/fake";
import { AppStore } from "../model/appStore";
import { CallStore } from "../model/calls";
import { Settings } from "../model/settings";
import { App } from "./App";
import { TESTID } from "./testids";

const words = (element: Element | null) => (element?.textContent ?? "").replaceAll("\u00a0", " ");

let backend: FakeBackend;
beforeEach(async () => {
	backend = new FakeBackend();
	const app = new AppStore(backend);
	const settings = new Settings(backend);
	await settings.load();
	render(<App app={app} calls={new CallStore(backend)} settings={settings} />);
	fireEvent.click(await screen.findByTestId(TESTID.tabServer));
});

it("holds what the server declares against what the log has seen", async () => {
	const table = await screen.findByTestId(TESTID.capabilities);
	const row = (name: string) => words(table.querySelector(`[data-capability="${name}"]`));
	await waitFor(() => expect(row("tools")).toContain("yesseen 2×"));
	expect(row("resources")).toContain("yesrefused 1×, -32602");
	expect(row("logging")).toContain("yesseen 1×");
	expect(row("logging")).toContain("server/utilities/logging › Capabilities · deprecated in 2026-07-28");
	expect(row("resources.listChanged")).toContain("nonot seen yet");
	expect(screen.getByText("io.modelcontextprotocol/skills")).toBeTruthy();
	expect(words(screen.getByLabelText("Identity"))).toContain("Orders of a small shop");
	expect(words(screen.getByLabelText("Identity"))).toMatch(/ttlMs 60 000 · public asked at .*, stale|fresh/);
});

it("pings, and keeps roots", async () => {
	fireEvent.click(await screen.findByTestId(TESTID.ping));
	await waitFor(() => expect(words(screen.getByTestId(TESTID.pings))).toMatch(/^\d[\d.]* (µs|ms|s) /));
	const kept: RootRow[][] = [];
	const { call } = backend;
	backend.call = (name, args) => {
		if (name === "set_roots") kept.push((args as { roots: RootRow[] }).roots);
		return call.call(backend, name, args) as never;
	};
	const save = screen.getByTestId<HTMLButtonElement>(TESTID.saveRoots);
	expect(save.disabled).toBe(true);
	fireEvent.click(screen.getByTestId(TESTID.addRoot));
	fireEvent.change(screen.getByTestId(TESTID.rootUri), { target: { value: "file:///home/ada" } });
	fireEvent.click(save);
	await screen.findByText("Kept.");
	expect(kept).toEqual([[{ uri: "file:///home/ada", name: null }]]);
	expect(save.disabled).toBe(true);
});

it("shows this app as it is told to, and answers by rule", async () => {
	await screen.findByTestId(`${TESTID.clientPart}-legacy`);
	const kept: ClientDraft[] = [];
	const { call } = backend;
	backend.call = (name, args) => {
		if (name === "set_client") kept.push((args as { draft: ClientDraft }).draft);
		return call.call(backend, name, args) as never;
	};
	const save = screen.getByTestId<HTMLButtonElement>(TESTID.saveClient);
	expect(save.disabled).toBe(true);
	fireEvent.click(screen.getByTestId(TESTID.addRule));
	fireEvent.change(screen.getByLabelText("Rule 1: answer"), { target: { value: "decline" } });
	fireEvent.change(screen.getByLabelText("Rule 1: text in the params"), { target: { value: "card" } });
	fireEvent.click(save);
	await screen.findByText("Kept.");
	expect(kept).toEqual([
		{
			info: null,
			legacy: null,
			modern: null,
			rules: [
				{
					on: true,
					method: "elicitation/create",
					contains: "card",
					answer: { kind: "result", json: '{"action":"decline"}' },
				},
			],
		},
	]);
});

it("compares each request with the same alone, and says what differs and what failed", async () => {
	const button = await screen.findByTestId(TESTID.stateless);
	await waitFor(() => expect(words(button)).toBe("Check 5 requests"));
	fireEvent.click(screen.getByTestId(TESTID.statelessTools));
	expect(words(button)).toMatch(/Check (1\d|[6-9]) requests/);
	fireEvent.click(screen.getByTestId(TESTID.statelessTools));
	fireEvent.click(button);
	const said = await screen.findByTestId(TESTID.statelessWords);
	await waitFor(() => expect(words(said)).toBe("3 the same, 1 different, 1 failed."));
	const rows = [...screen.getByTestId(TESTID.statelessRows).querySelectorAll("tbody tr")];
	const row = (method: string) => rows.find((one) => words(one).startsWith(method));
	expect(words(row("tools/list") ?? null)).toBe("tools/listdifferThe answers differ at /tools/0/name#5#6");
	expect(words(row("resources/list") ?? null)).toContain("failedalone: the server exited with code 3");
	expect(words(row("resources/list") ?? null)).toContain("#7not sent");
	fireEvent.click(screen.getAllByRole("button", { name: "#6" })[0] as HTMLElement);
	await waitFor(() => expect(screen.getByTestId(TESTID.detail).dataset.seq).toBe("6"));
});

it("says why a stateless check went no further, and keeps what it has found", async () => {
	const { call } = backend;
	let n = 0;
	backend.call = (name, args) => {
		if (name === "check_stateless") n += 1;
		return n === 3 ? Promise.reject({ message: "the session is closed" }) : call.call(backend, name, args);
	};
	const button = await screen.findByTestId(TESTID.stateless);
	await waitFor(() => expect(words(button)).toBe("Check 5 requests"));
	fireEvent.click(button);
	const said = await screen.findByTestId(TESTID.statelessWords);
	await waitFor(() => expect(words(said)).toContain("The check went no further: the session is closed."));
	expect(words(said)).toContain("1 the same, 1 different.");
	expect(screen.getByTestId<HTMLButtonElement>(TESTID.stateless).disabled).toBe(false);
});
