/** What a server's form says of its connection, and the list of a server that is not there, or that has changed it. */
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { CatalogRow } from "../ipc/bindings/CatalogRow";
import { FakeBackend } from "../ipc/fake";
import { AppStore } from "../model/appStore";
import { CallStore } from "../model/calls";
import { Settings } from "../model/settings";
import { App } from "./App";
import { TESTID } from "./testids";

let backend: FakeBackend;
let app: AppStore;

const the = (id: string) => screen.findByTestId(id);
const words = (element: HTMLElement) => (element.textContent ?? "").replaceAll("\u00a0", " ");
const type = (id: string, text: string) =>
	fireEvent.change(screen.getByTestId(id), { target: { value: text } });

async function open(): Promise<void> {
	app = new AppStore(backend);
	const settings = new Settings(backend);
	await settings.load();
	render(<App app={app} calls={new CallStore(backend)} settings={settings} />);
	await waitFor(() => expect(app.ready).toBe(true));
}

/** Changes what is told of the list of tools. */
function listed(change: () => Partial<CatalogRow>) {
	const call = backend.call.bind(backend);
	return vi.spyOn(backend, "call").mockImplementation(async (name, args) => {
		const answer = await call(name, args);
		return name === "list_catalog" ? { ...(answer as CatalogRow), ...change() } : answer;
	});
}

describe("the form of a server", () => {
	it("keeps an own authority and the wish to connect again", async () => {
		backend = new FakeBackend();
		await open();
		fireEvent.click(await the(TESTID.addServer));
		type(TESTID.addServerInput, "https://mcp.example/mcp");
		type(TESTID.ca, "/etc/own-ca.pem");
		fireEvent.click(await the(TESTID.reconnect));
		fireEvent.click(await the(TESTID.addServerSave));
		await waitFor(() => expect(app.serverRow?.ca).toBe("/etc/own-ca.pem"));
		expect(app.serverRow?.reconnect).toBe(true);

		fireEvent.click(await the(TESTID.editServer));
		expect(((await the(TESTID.ca)) as HTMLInputElement).value).toBe("/etc/own-ca.pem");
		expect(((await the(TESTID.reconnect)) as HTMLInputElement).checked).toBe(true);
	});

	it("has no authority for a command", async () => {
		backend = new FakeBackend();
		await open();
		fireEvent.click(await the(TESTID.addServer));
		type(TESTID.addServerInput, "uv run mine");
		await the(TESTID.reconnect);
		expect(screen.queryByTestId(TESTID.ca)).toBeNull();
	});
});

describe("a server whose files are watched", () => {
	it("keeps its paths and its waits, and tells which times cannot be", async () => {
		backend = new FakeBackend();
		await open();
		fireEvent.click(await the(TESTID.addServer));
		type(TESTID.addServerInput, "node dist/server.js");
		type(TESTID.watchPaths, "dist\n\n src/**/*.ts");
		type(`${TESTID.wait}-grace`, "2 min");
		expect(screen.getByRole("alert").textContent).toContain("from 0 s to 60 s");
		expect(((await the(TESTID.addServerSave)) as HTMLButtonElement).disabled).toBe(true);
		type(`${TESTID.wait}-grace`, "0");
		type(`${TESTID.wait}-start`, "2 min");
		fireEvent.click(await the(TESTID.addServerSave));
		await waitFor(() => expect(app.serverRow?.start_ms).toBe(120_000));
		expect(app.serverRow).toMatchObject({ grace_ms: 0, total_ms: null, watch: ["dist", " src/**/*.ts"] });

		fireEvent.click(await the(TESTID.editServer));
		expect(((await the(TESTID.watchPaths)) as HTMLTextAreaElement).value).toContain("src/**/*.ts");
		expect(((await the(`${TESTID.wait}-start`)) as HTMLInputElement).value).toBe("2 min");
	});

	it("is shown in its new session, with what changed, and makes the last call again only when told to", async () => {
		backend = new FakeBackend();
		await open();
		const before = app.session?.id ?? "";
		const call = vi.spyOn(backend, "call");
		const params = '{"name":"refund","arguments":{"id":9007199254740993}}';
		const restarted = backend.rebuild(app.server ?? "", {
			call: { seq: 4, method: "tools/call", about: "refund", params, masked: false },
			lists: [
				{
					what: "tools",
					added: ["ship"],
					removed: [],
					changed: [{ name: "refund", parts: ["inputSchema"] }],
				},
			],
		});
		await waitFor(() => expect(app.session?.id).toBe(restarted.id));
		expect(restarted.id).not.toBe(before);
		const strip = await the(TESTID.restartStrip);
		expect(words(strip)).toContain("since dist/server.js changed");
		const changes = words(await the(TESTID.restartChanges));
		expect(changes).toContain("1 tool added, 1 changed");
		expect(changes).toContain("refund · inputSchema");
		const sent = () => call.mock.calls.filter(([name]) => name === "send_request").map(([, args]) => args);
		expect(sent(), "nothing is called by itself").toEqual([]);
		fireEvent.click(await the(TESTID.runAgain));
		await waitFor(() => expect(sent().length).toBe(1));
		expect(sent()[0]).toEqual({
			session: restarted.id,
			draft: { method: "tools/call", params, timeout_ms: null, headers: [] },
		});
		fireEvent.click(within(strip).getByLabelText("Dismiss"));
		expect(screen.queryByTestId(TESTID.restartStrip)).toBeNull();
	});

	it("is not followed by who looks at another session, and says what is not watched", async () => {
		backend = new FakeBackend();
		await open();
		const server = app.server ?? "";
		const other = app.sessions.find((row) => row.server_id !== server)?.id ?? "";
		app.selectSession(other);
		const problem = "the watched path `dist` is not there";
		const restarted = backend.rebuild(server);
		backend.patch(restarted.id, { watch: { paths: 0, problem } });
		expect(app.session?.id).toBe(other);
		app.selectSession(restarted.id);
		expect(words(await the(TESTID.watchProblem))).toContain("is not there");
	});
});

describe("servers of another host", () => {
	const pick = async (host?: string) => {
		const files = await screen.findAllByTestId(TESTID.hostFile);
		fireEvent.click(files.find((file) => file.dataset.host === host) as HTMLElement);
	};

	it("are seen before they are added, and ask before their first start", async () => {
		backend = new FakeBackend();
		await open();
		fireEvent.click(await the(TESTID.addServer));
		await waitFor(() => expect(screen.getAllByTestId(TESTID.hostFile).length).toBe(3));
		await pick("Claude Code");
		await waitFor(() => expect(screen.getAllByTestId(TESTID.pasteFound).length).toBe(2));
		const [inventory] = screen.getAllByTestId(TESTID.pasteFound).map(words);
		expect(inventory).toContain("inventory_mcp");
		expect(inventory, "a secret is not shown").not.toContain("sk-0123456789");
		const before = app.servers.length;
		fireEvent.click(screen.getByTestId(TESTID.pasteAdd));
		await waitFor(() => expect(app.servers.length).toBe(before + 2));
		expect(app.servers.find((row) => row.name === "inventory")?.unconfirmed).toBe(true);
	});

	it("say why a file cannot be read, and any file can be chosen", async () => {
		backend = new FakeBackend();
		await open();
		fireEvent.click(await the(TESTID.addServer));
		await waitFor(() => expect(screen.getAllByTestId(TESTID.hostFile).length).toBe(3));
		await pick("Cursor");
		await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("No server"));
		await pick();
		await screen.findByText("/home/ada/src/inventory/.mcp.json");
		fireEvent.click(screen.getByText("Paste instead"));
		await waitFor(() => expect(screen.queryAllByTestId(TESTID.pasteFound).length).toBe(0));
	});
});

describe("the doctor", () => {
	it.each([
		["https://mcp.example/401", "Nobody is at fault", true],
		["https://mcp.example/refused", "The server is at fault", false],
	])("at %s says that %s", async (target, headline, signIn) => {
		backend = new FakeBackend();
		await open();
		fireEvent.click(await the(TESTID.addServer));
		type(TESTID.addServerInput, target);
		fireEvent.click(await the(TESTID.doctorRun));
		const fault = await the(TESTID.doctorFault);
		expect(words(fault)).toContain(headline);
		const step = fault.closest("[data-state=failed]") as HTMLElement;
		expect(step.hasAttribute("data-sign-in"), "a sign-in is no failure, and is not drawn as one").toBe(
			signIn,
		);
		expect(fault.querySelector(".sev-error") === null).toBe(signIn);
	});
});

describe("the list of tools", () => {
	it("is that of the session before until this one has its own, and says so", async () => {
		backend = new FakeBackend();
		listed(() => ({ stale: true }));
		await open();
		await waitFor(() => expect(screen.queryAllByTestId(TESTID.toolRow).length).toBeGreaterThan(0));
		expect(screen.queryByTestId(TESTID.staleList), "it is connected").toBeNull();
		const id = app.session?.id ?? "";
		backend.crash(id);
		await waitFor(async () => expect(words(await the(TESTID.staleList))).toMatch(/not connected/));
		expect(screen.queryAllByTestId(TESTID.toolRow).length, "it stays").toBeGreaterThan(0);
	});

	it("is read again when the server has changed it, and tells how long it is true", async () => {
		backend = new FakeBackend();
		let ttl_ms = 300_000;
		const calls = listed(() => ({ ttl_ms }));
		await open();
		await screen.findByText(/fresh for 5 min, private/);
		ttl_ms = 0;
		const asked = calls.mock.calls.filter(([name]) => name === "list_catalog").length;
		backend.emit("lists-changed", { session: "another" });
		backend.emit("lists-changed", { session: app.session?.id ?? "" });
		await screen.findByText(/not to be kept, private/);
		expect(calls.mock.calls.filter(([name]) => name === "list_catalog").length, "once").toBe(asked + 1);
	});
});
