/** The Resources tab. */
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { FakeBackend } from "../ipc/fake";
import { AppStore } from "../model/appStore";
import { CallStore } from "../model/calls";
import { Settings } from "../model/settings";
import { App } from "./App";
import { TESTID } from "./testids";

const keys = userEvent.setup();
const words = (element: HTMLElement) => (element.textContent ?? "").replaceAll("\u00a0", " ");
const sent = () => words(screen.getByTestId(TESTID.willSend));
const field = (id: string) => document.querySelector<HTMLElement>(`[data-row="${id}"]`) as HTMLElement;
const input = (id: string) => field(id).querySelector("input") as HTMLElement;
const choose = async (name: string) =>
	fireEvent.click(
		(await screen.findAllByTestId(TESTID.toolRow)).find((row) => row.dataset.tool === name) as HTMLElement,
	);
const read = async (name: string) => {
	await choose(name);
	await keys.keyboard("{Control>}{Enter}{/Control}");
	return screen.findByTestId(TESTID.viewer);
};

let app: AppStore;
let backend: FakeBackend;
beforeEach(async () => {
	backend = new FakeBackend();
	app = new AppStore(backend);
	const settings = new Settings(backend);
	await settings.load();
	render(<App app={app} calls={new CallStore(backend)} settings={settings} />);
	fireEvent.click(await screen.findByTestId(TESTID.tabResources));
});

it("lists resources and templates, with what they say of themselves", async () => {
	await screen.findByText("Templates 2");
	expect(screen.getByTestId(TESTID.tabResources).textContent).toBe("Resources6");
	const pane = document.querySelector<HTMLElement>(".pane[data-tool]") as HTMLElement;
	const about = words(pane.querySelector("dl") as HTMLElement);
	for (const fact of ["orders://open", "412 B", "user, assistant", "0.9", "https://example.com/icon.svg"])
		expect(about).toContain(fact);
	expect([...pane.querySelectorAll("img")].map((icon) => icon.src.slice(0, 15))).toEqual(["data:image/png;"]);
	expect(sent()).toContain('"method":"resources/read","params":{"uri":"orders://open"}');
});

it("expands a template as it is filled in, and offers what the server completes", async () => {
	await screen.findByText("Templates 2");
	await choose("stock");
	await waitFor(() => expect(sent()).toContain('{"uri":"stock:///"}'));
	input("/region").focus();
	await keys.keyboard("e");
	await screen.findByRole("option", { name: "eu" });
	await keys.keyboard("{ArrowDown}{Enter}");
	await waitFor(() => expect(sent()).toContain('{"uri":"stock://eu/"}'));
	input("/sku").focus();
	await keys.keyboard("{Escape}a/b");
	await waitFor(() => expect(sent()).toContain('{"uri":"stock://eu/a%2Fb"}'));
});

it("shows Markdown without its HTML, and loads nothing", async () => {
	const viewer = await read("handbook.md");
	expect(viewer.dataset.view).toBe("markdown");
	expect(within(viewer).getByRole("heading", { name: "Handbook" })).toBeTruthy();
	expect(within(viewer).getByRole("table")).toBeTruthy();
	expect(viewer.querySelector("img, script, a")).toBeNull();
	expect(words(viewer)).toContain("<script>alert(1)</script>");
	expect(words(viewer)).toContain("A remote picture [picture, not loaded: https://example.com/track.png]");
	expect(words(viewer)).toContain("a link [link: https://example.com/x]");
	fireEvent.click(within(viewer).getByText("Text"));
	await waitFor(() => expect(words(viewer)).toContain("# Handbook"));
});

it.each([
	["shelf.png", "picture"],
	["open-orders", "json"],
	["terms.txt", "text"],
	["sheet.pdf", "bytes"],
])("shows %s as %s", async (name, view) => {
	await screen.findByText("Templates 2");
	const viewer = await read(name);
	expect(viewer.dataset.view).toBe(view);
	if (view === "bytes") await waitFor(() => expect(words(viewer)).toContain("25 50 44 46"));
});

it("reads any URI, and what a link in a result leads to", async () => {
	await screen.findByText("Templates 2");
	fireEvent.click(screen.getByTestId(TESTID.tabTools));
	await choose("stock.picture");
	await keys.keyboard("{Control>}{Enter}{/Control}");
	fireEvent.click(await screen.findByTestId(TESTID.openLink));
	await waitFor(() => expect(sent()).toContain('{"uri":"https://example.com/kx.pdf"}'));
	expect(screen.getByTestId(TESTID.tabResources).getAttribute("aria-selected")).toBe("true");
	await keys.keyboard("{Control>}{Enter}{/Control}");
	await waitFor(() => expect(screen.getByTestId(TESTID.result).dataset.verdict).toBe("error"));
});

it("subscribes to what is filled in, follows it live, and ends it", async () => {
	await screen.findByText("Templates 2");
	fireEvent.click(screen.getByTestId(TESTID.subscribe));
	const row = () => screen.getByTestId(TESTID.subscription);
	await waitFor(() => expect(row().dataset.state).toBe("active"));
	expect(words(row())).toContain("orders://open0 updates");
	const session = app.open?.session ?? "";
	const [subscription] = app.subscriptions.of(session);
	act(() =>
		backend.emit("subscriptions-changed", {
			session,
			subscriptions: subscription
				? [{ ...subscription, updates: 3, last_us: Date.now() * 1000, granted: { uris: [], lists: [] } }]
				: [],
		}),
	);
	await waitFor(() => expect(words(row())).toContain("3 updates, last 0 s ago"));
	expect(words(row())).toContain("not granted: orders://open");
	fireEvent.click(screen.getByText("Unsubscribe"));
	await waitFor(() => expect(row().dataset.state).toBe("ended"));
	fireEvent.click(screen.getByTestId(TESTID.listenLists));
	await screen.findByText("list of tools, list of prompts, list of resources");
});
