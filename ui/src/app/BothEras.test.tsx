/** The same call in both eras, beside each other. */
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { OutcomeRow } from "../ipc/bindings/OutcomeRow";
import { FakeBackend } from "../ipc/fake";
import { AppStore } from "../model/appStore";
import { CallStore } from "../model/calls";
import { Settings } from "../model/settings";
import { App } from "./App";
import { TESTID } from "./testids";

let backend: FakeBackend;
let app: AppStore;
const keys = userEvent.setup();
const words = (element: Element | null) => (element?.textContent ?? "").replaceAll("\u00a0", " ");
const pane = () => screen.getByTestId(TESTID.bothEras);
const verdict = () => words(screen.getByTestId(TESTID.bothVerdict));
const side = (era: string) => words(pane().querySelector(`[data-era=${era}]`));

beforeEach(async () => {
	backend = new FakeBackend();
	app = new AppStore(backend);
	const settings = new Settings(backend);
	await settings.load();
	render(<App app={app} calls={new CallStore(backend)} settings={settings} />);
	await waitFor(() => expect(screen.queryAllByTestId(TESTID.toolRow).length).toBeGreaterThan(0));
});

const choose = (name: string) =>
	waitFor(() => {
		const found = screen.getAllByTestId(TESTID.toolRow).find((row) => row.dataset.tool === name);
		if (!found) throw new Error(`no tool ${name}`);
		fireEvent.click(found);
	});
const done = () => waitFor(() => expect(pane().dataset.running).toBe("false"));

it("compares the answers, each with its verdict and its frame, and says what one era alone has", async () => {
	await choose("stock.get");
	fireEvent.click(await screen.findByTestId(TESTID.sendBoth));
	await done();
	expect(verdict()).toBe("The answers differ in structuredContent.");
	expect(side("legacy")).toMatch(/result · \d/);
	expect(side("modern")).toMatch(/result · \d/);
	const marked = [...pane().querySelectorAll("[data-kind=differs]")].map(words);
	expect(marked).toEqual(['  "one": 1≠differs  "one": 1.0']);
	expect([...pane().querySelectorAll("[data-kind=era]")].map(words)).toEqual([
		'·one era alone has this"resultType": "complete"',
	]);
	const here = app.open?.session;
	// The other era's session is the newer one, and this one lives on.
	expect(screen.queryByText("Show live session")).toBeNull();
	expect(screen.getByTestId(TESTID.stop)).toBeTruthy();
	const legacy = pane().querySelector<HTMLElement>("[data-era=legacy]");
	await keys.click(within(legacy as HTMLElement).getByTitle("Show its frame in its session"));
	await waitFor(() => expect(app.open?.selected?.row.kind).toBe("result"));
	expect(app.open?.session).not.toBe(here);
	expect(pane(), "the comparison is the server's").toBeTruthy();
	await keys.click(screen.getByTestId(TESTID.bothClose));
	expect(screen.queryByTestId(TESTID.bothEras)).toBeNull();
	expect(screen.getByTestId(TESTID.result)).toBeTruthy();
});

it("says that answers are the same, also errors", async () => {
	await choose("faults.rpc_error");
	fireEvent.click(await screen.findByTestId(TESTID.sendBoth));
	await done();
	expect(verdict()).toBe("The answers are the same.");
	expect(side("legacy")).toContain("JSON-RPC error -32042");
});

it("runs until both have answered, and is cancelled as one", async () => {
	await choose("reports.run");
	fireEvent.click(await screen.findByTestId(TESTID.sendBoth));
	await waitFor(() => expect(pane().dataset.running).toBe("true"));
	await keys.click(await screen.findByTestId(TESTID.bothCancel));
	await done();
	expect(verdict()).toContain("nothing to compare");
	expect(side("modern")).not.toContain("waiting");
});

it("tells why one side failed, or both", async () => {
	const { call } = backend;
	let both: () => unknown = () => ({
		legacy: { session: null, seq: null, problem: "the server speaks no <b>legacy</b> revision" },
		modern: { session: app.open?.session, seq: 13, problem: null },
	});
	backend.call = (name, args) =>
		name === "call_both_eras" ? (Promise.resolve().then(both) as never) : call.call(backend, name, args);
	await choose("stock.get");
	await act(async () => app.open?.selectSeq(9));
	fireEvent.click(await screen.findByTestId(TESTID.sendBoth));
	await waitFor(() =>
		expect(side("legacy")).toContain("Not sent: The server speaks no <b>legacy</b> revision"),
	);
	both = () => Promise.reject({ code: "session_closed", message: "the session is closed" });
	fireEvent.click(screen.getByTestId(TESTID.sendBoth));
	await waitFor(() => expect(words(pane())).toContain("Sent in neither era. The session is closed"));
});

it("asks before a destructive tool, as for one era", async () => {
	await choose("orders.cancel");
	fireEvent.click(await screen.findByTestId(TESTID.sendBoth));
	expect(screen.queryByTestId(TESTID.bothEras)).toBeNull();
	fireEvent.click(await screen.findByTestId(TESTID.destructiveSend));
	await waitFor(() => expect(pane()).toBeTruthy());
	await done();
});

it("says that one side asks for input first", async () => {
	const { call } = backend;
	backend.call = async (name, args) => {
		const answer = await call.call(backend, name, args);
		if (name !== "await_outcome" || (args as { session: string }).session !== app.open?.session)
			return answer as never;
		const outcome = answer as OutcomeRow;
		const whole = '{"jsonrpc":"2.0","id":24,"result":{"resultType":"input_required","requestState":"s"}}';
		return { ...outcome, answer: outcome.answer && { ...outcome.answer, whole } } as never;
	};
	await choose("stock.get");
	fireEvent.click(await screen.findByTestId(TESTID.sendBoth));
	await waitFor(() => expect(side("modern")).toContain("asks for input"));
	await done();
	expect(verdict()).toContain("One side asks for input first");
	expect(side("legacy")).toContain("result");
});
