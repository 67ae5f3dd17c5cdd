import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { WIDEST } from "../components/ColumnGrip";
import { FakeBackend } from "../ipc/fake";
import { PASSPHRASE } from "../ipc/fake/exports";
import { AppStore } from "../model/appStore";
import { CallStore } from "../model/calls";
import { Settings } from "../model/settings";
import { App } from "./App";
import { TESTID } from "./testids";

let backend: FakeBackend;
let app: AppStore;
const keys = userEvent.setup();

const all = (id: string) => screen.queryAllByTestId(id);
const the = (id: string) => screen.findByTestId(id);
const words = (element: HTMLElement) => (element.textContent ?? "").replaceAll("\u00a0", " ");
const value = (id: string) => (screen.getByTestId(id) as HTMLInputElement).value;
/** Without a layout every separator lies under the pointer, so what stands in a split is not clicked. */
const press = (element: HTMLElement) => fireEvent.click(element);
const type = (id: string, text: string) =>
	fireEvent.change(all(id).at(-1) as HTMLElement, { target: { value: text } });

async function open(query = ""): Promise<void> {
	backend = new FakeBackend(new URLSearchParams(query));
	app = new AppStore(backend);
	const settings = new Settings(backend);
	await settings.load();
	render(<App app={app} calls={new CallStore(backend)} settings={settings} />);
	await waitFor(() => expect(app.ready).toBe(true));
}

const PASTED = JSON.stringify({
	mcpServers: {
		everything: { command: "npx", args: ["-y", "two words"], env: { API_KEY: "sk-0123456789" }, cwd: "/src" },
		broken: { foo: 1 },
		"orders-mcp": { command: "uv" },
	},
});

describe("a pasted server", () => {
	it("is seen in full, and started only when that was asked for", async () => {
		await open();
		press(await the(TESTID.addServer));
		type(TESTID.pasteJson, PASTED);
		await waitFor(() => expect(all(TESTID.pasteFound).length).toBe(3));
		const [everything, broken, listed] = all(TESTID.pasteFound).map(words);
		for (const fact of ["npx", "two words", "/src", "API_KEY", "secret"]) expect(everything).toContain(fact);
		expect(everything).not.toContain("sk-0123456789");
		expect(broken).toContain("neither");
		expect(listed).toContain("is listed");

		press(screen.getByTestId(TESTID.pasteAdd));
		const consent = await the(TESTID.consent);
		expect(app.servers.map((row) => row.name)).toContain("everything");
		expect(app.serverRow?.session).toBeNull();
		expect(within(consent).getAllByTestId(TESTID.argvChip).map(words)).toEqual(["0npx", "1-y", "2two words"]);

		press(screen.getByTestId(TESTID.consentStart));
		await waitFor(() => expect(app.session?.conn.state).toBe("connected"));
		expect(app.serverRow?.unconfirmed).toBe(false);
		expect(screen.queryByTestId(TESTID.consent)).toBeNull();
	});

	it("that cannot be read says why, and adds nothing", async () => {
		await open();
		press(await the(TESTID.addServer));
		type(TESTID.pasteJson, "{ no json");
		await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("no JSON"));
		expect(screen.queryByTestId(TESTID.pasteAdd)).toBeNull();
	});
});

describe("the form of a server", () => {
	it("keeps what is typed while something else is looked at", async () => {
		await open();
		press(await the(TESTID.addServer));
		type(TESTID.addServerInput, "uv run mine");
		press(screen.getByTestId(TESTID.addVariable));
		type(TESTID.variableName, "LOG_LEVEL");
		press(screen.getByTestId(TESTID.allSessions));
		await the(TESTID.sessionGrid);
		press(screen.getByTestId(TESTID.addServer));
		await the(TESTID.addServerInput);
		expect([value(TESTID.addServerInput), value(TESTID.variableName)]).toEqual(["uv run mine", "LOG_LEVEL"]);
	});

	it("asks before Esc throws away what was typed", async () => {
		await open();
		press(await the(TESTID.addServer));
		type(TESTID.addServerInput, "uv run mine");
		await keys.keyboard("{Escape}");
		await the(TESTID.discard);
		await keys.keyboard("{Escape}");
		await waitFor(() => expect(screen.queryByTestId(TESTID.discard)).toBeNull());
		await keys.keyboard("{Escape}");
		press(await the(TESTID.discard));
		await waitFor(() => expect(app.page).toBe("session"));
		press(screen.getByTestId(TESTID.addServer));
		await waitFor(() => expect(value(TESTID.addServerInput)).toBe(""));
	});

	it("masks a secret, keeps it when it is not touched, and shows it when asked", async () => {
		await open("nokeychain");
		press(await the(TESTID.addServer));
		type(TESTID.addServerInput, "uv run mine");
		press(screen.getByTestId(TESTID.addVariable));
		type(TESTID.variableName, "API_KEY");
		type(TESTID.variableValue, "sk-0123456789abcd");
		const field = () => screen.getByTestId(TESTID.variableValue) as HTMLInputElement;
		expect(field().type).toBe("password");
		expect(words(screen.getByTestId(TESTID.variableSecret))).toBe("memory");
		expect(screen.getByText(/There is no keychain/).textContent).toContain("until this app ends");
		press(screen.getByTestId(TESTID.addServerSave));
		await waitFor(() => expect(app.serverRow?.env[0]?.value).toBe("••••abcd"));

		press(await the(TESTID.editServer));
		await waitFor(() => expect(field().placeholder).toBe("••••abcd"));
		expect(field().value).toBe("");
		type(TESTID.addServerName, "renamed");
		press(screen.getByTestId(TESTID.addServerSave));
		await waitFor(() => expect(app.serverRow?.name).toBe("renamed"));
		expect(app.serverRow?.env[0]?.value).toBe("••••abcd");

		press(await the(TESTID.editServer));
		press(await screen.findByLabelText("Show value of variable 1"));
		await waitFor(() => expect([field().type, field().value]).toEqual(["text", "sk-0123456789abcd"]));
	});

	it("says what cannot be read as a time, and saves nothing meanwhile", async () => {
		await open();
		press(await the(TESTID.addServer));
		type(TESTID.addServerInput, "uv run mine");
		type(TESTID.timeout, "soon");
		expect(screen.getByRole("alert").textContent).toContain("This app cannot read that as a time");
		expect((screen.getByTestId(TESTID.addServerSave) as HTMLButtonElement).disabled).toBe(true);
		type(TESTID.timeout, "2 min");
		fireEvent.change(screen.getByTestId(TESTID.revision), { target: { value: "2025-06-18" } });
		press(screen.getByTestId(TESTID.addServerSave));
		await waitFor(() => expect(app.serverRow?.timeout_ms).toBe(120_000));
		expect(app.serverRow?.era).toBe("2025-06-18");
	});

	it("shows what the host finds wrong beside the command", async () => {
		await open();
		press(await the(TESTID.addServer));
		type(TESTID.addServerInput, 'uv "run');
		await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("A quote is not closed."));
	});
});

describe("the rail", () => {
	const server = (name: string) => {
		const found = all(TESTID.serverRow).find((element) => words(element).includes(name));
		if (!found) throw new Error(`no server ${name}`);
		return found;
	};

	it("has one tab stop, and arrows inside", async () => {
		await open();
		const rail = screen.getByRole("navigation");
		await waitFor(() => expect(rail.querySelectorAll("[data-rail][tabindex='0']").length).toBe(1));
		server("orders-mcp").focus();
		await keys.keyboard("{ArrowDown}");
		expect(document.activeElement).toBe(server("fs-sandbox"));
		await keys.keyboard("{End}");
		expect(document.activeElement).toBe(screen.getByTestId(TESTID.settings));
	});

	it("duplicates, stops and connects by key; two servers live at once", async () => {
		await open();
		server("fs-sandbox").focus();
		await keys.keyboard("c");
		await waitFor(() => expect(server("fs-sandbox").dataset.state).toBe("connected"));
		expect(server("orders-mcp").dataset.state).toBe("connected");
		server("orders-mcp").focus();
		await keys.keyboard("c");
		await waitFor(() => expect(server("orders-mcp").dataset.state).toBe("closed"));
		server("fs-sandbox").focus();
		await keys.keyboard("d");
		await waitFor(() => expect(value(TESTID.addServerName)).toBe("fs-sandbox copy"));
		expect(app.editing?.session).toBeNull();
	});

	it("collapses and says so to the settings", async () => {
		await open();
		await keys.keyboard("{Control>}b{/Control}");
		await waitFor(() => expect(screen.queryByText("All sessions")).toBeNull());
		expect(await backend.call("get_setting", { key: "rail" })).toBe("collapsed");
	});
});

describe("all sessions", () => {
	const lines = () => all(TESTID.sessionLine).map((element) => element.dataset.session);
	const goThere = async (query = "") => {
		await open(query);
		await keys.keyboard("gs");
		await waitFor(() => expect(lines().length).toBeGreaterThan(3));
	};

	it("are filtered as one types; a bad filter says so and hides nothing", async () => {
		await goThere();
		const before = lines().length;
		type(TESTID.sessionQuery, "origin:cli");
		await waitFor(() => expect(lines().length).toBe(1));
		expect(words(screen.getByTestId(TESTID.sessionCount))).toBe("1 of 5 sessions");
		type(TESTID.sessionQuery, "colour:red");
		expect(words(await the(TESTID.queryProblem))).toContain("There is no key");
		await waitFor(() => expect(lines().length).toBe(before));
	});

	it("are searched, and a hit opens its session at the record", async () => {
		await goThere("crash");
		type(TESTID.sessionQuery, "database is locked");
		fireEvent.keyDown(screen.getByTestId(TESTID.sessionQuery), { key: "Enter" });
		await waitFor(() => expect(all(TESTID.hit).length).toBeGreaterThan(0));
		expect(screen.getAllByText("database", { selector: "mark *" }).length).toBeGreaterThan(0);
		await waitFor(() => expect(words(screen.getByTestId(TESTID.sessionCount))).toMatch(/match.* over /));
		const [hit] = all(TESTID.hit);
		screen.getByTestId(TESTID.hits).focus();
		await keys.keyboard("{ArrowDown}{ArrowDown}{Enter}");
		await waitFor(() => expect(app.page).toBe("session"));
		await waitFor(() => expect(String(app.open?.selected?.row.seq)).toBe(hit?.dataset.seq));
		expect(app.open?.session).toBe(hit?.dataset.session);
		// What was found is still there.
		await keys.keyboard("gs");
		await waitFor(() => expect(all(TESTID.hit).length).toBeGreaterThan(0));
	});

	it("are named, tagged and pinned where they stand", async () => {
		await goThere();
		await keys.keyboard("{End}");
		const id = app.list.current;
		const row = () => app.list.rows.find((one) => one.id === id);
		await keys.keyboard("r");
		await keys.type(await the(TESTID.sessionName), "before the fix{Enter}");
		await waitFor(() => expect(row()?.name).toBe("before the fix"));
		expect(document.activeElement).toBe(screen.getByTestId(TESTID.sessionGrid));
		await keys.keyboard("t");
		await keys.type(await the(TESTID.sessionTags), "ci, v0.9{Enter}");
		await waitFor(() => expect(row()?.tags).toEqual(["ci", "v0.9"]));
		await keys.keyboard("p");
		await waitFor(() => expect(row()?.pinned).toBe(true));
		await keys.keyboard("r");
		await keys.type(await the(TESTID.sessionName), "never mind{Escape}");
		await waitFor(() => expect(screen.queryByTestId(TESTID.sessionName)).toBeNull());
		expect(row()?.name).toBe("before the fix");
	});

	it("are deleted and taken back; one that is recorded is not", async () => {
		await goThere();
		const before = lines();
		await keys.keyboard("{End} {Delete}");
		await waitFor(() => expect(lines().length).toBe(before.length - 1));
		press(await the(TESTID.undo));
		await waitFor(() => expect(lines()).toEqual(before));
		await keys.keyboard("{Home}{Delete}");
		await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("is being recorded"));
		expect(lines()).toEqual(before);
	});

	it("are sorted by a column's head", async () => {
		await goThere();
		const before = lines();
		press(screen.getByTitle(/^Sort by started/));
		await waitFor(() => expect(lines()).toEqual([...before].reverse()));
		expect(screen.getByRole("columnheader", { name: /Started/ }).getAttribute("aria-sort")).toBe("ascending");
	});

	it("have columns whose widths are set by key, and kept", async () => {
		await goThere();
		const cols = () => screen.getByTestId(TESTID.sessionGrid).style.getPropertyValue("--cols");
		expect(cols()).toContain("var(--col-origin)");
		// Without a layout everything is as wide as it can be.
		const head = screen.getByTitle(/Sort by origin/);
		fireEvent.keyDown(head, { key: "ArrowRight", shiftKey: true });
		await waitFor(() => expect(cols()).not.toContain("var(--col-origin)"));
		expect(await backend.call("get_setting", { key: "columns.sessions" })).toEqual({ origin: WIDEST });
	});

	it("of ten thousand, only those in sight are drawn", async () => {
		await goThere("sessions=10000");
		await waitFor(() =>
			expect(screen.getByTestId(TESTID.sessionGrid).getAttribute("aria-rowcount")).toBe("10006"),
		);
		expect(lines().length).toBeLessThan(60);
	});

	it("come from a file, and go into one", async () => {
		await goThere();
		press(screen.getByTestId(TESTID.importSessions));
		await waitFor(() => expect(words(screen.getByTestId(TESTID.told))).toContain("Imported 1 session"));
		press(screen.getByTestId(TESTID.exportSessions));
		await the(TESTID.exportDialog);
		await waitFor(() => expect(screen.getByTestId(TESTID.exportRun)).toHaveProperty("disabled", false));
		press(screen.getByTestId(TESTID.exportRun));
		await waitFor(() => expect(words(screen.getByTestId(TESTID.exported))).toContain(".jsonl"));
		await keys.keyboard("{Escape}");
		await waitFor(() => expect(screen.queryByTestId(TESTID.exportDialog)).toBeNull());
	});

	it("of an encrypted file come once its passphrase is right", async () => {
		await goThere("locked");
		press(screen.getByTestId(TESTID.importSessions));
		await waitFor(() => expect(all(TESTID.lockedFile).length).toBe(2));
		const before = lines().length;
		const first = () => all(TESTID.lockedFile)[0] as HTMLElement;
		const passphrase = () => within(first()).getByTestId(TESTID.lockedPassphrase);
		fireEvent.change(passphrase(), { target: { value: "wrong" } });
		press(within(first()).getByTestId(TESTID.lockedOpen));
		await waitFor(() => expect(words(first())).toContain("does not open it"));
		fireEvent.change(passphrase(), { target: { value: PASSPHRASE } });
		press(within(first()).getByTestId(TESTID.lockedOpen));
		await waitFor(() => expect(lines().length).toBe(before + 1));
		expect(all(TESTID.lockedFile).length).toBe(1);
		press(screen.getByTestId(TESTID.lockedForget));
		await waitFor(() => expect(all(TESTID.lockedFile).length).toBe(0));
		expect(lines().length).toBe(before + 1);
	});
});

describe("the palette", () => {
	it("runs a command, and gives the focus back when it is left", async () => {
		await open();
		screen.getByTestId(TESTID.settings).focus();
		await keys.keyboard("{Control>}k{/Control}");
		await the(TESTID.paletteInput);
		await keys.keyboard("{Escape}");
		await waitFor(() => expect(screen.queryByTestId(TESTID.paletteInput)).toBeNull());
		await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId(TESTID.settings)));
		await keys.keyboard("{Control>}k{/Control}");
		await keys.type(await the(TESTID.paletteInput), "theme dark{Enter}");
		await waitFor(() => expect(document.documentElement.dataset.theme).toBe("dark"));
	});

	it("finds servers, tools and sessions, and searches all records", async () => {
		await open();
		await keys.keyboard("{Control>}k{/Control}");
		await keys.type(await the(TESTID.paletteInput), "orders.refund");
		await waitFor(() => expect(all(TESTID.paletteItem).map(words)[0]).toContain("destructive"));
		await keys.keyboard("{Enter}");
		await waitFor(() => expect(app.drafts.chosen("tools", app.server ?? "")).toContain("orders.refund"));
		await keys.keyboard("{Control>}k{/Control}");
		await keys.type(await the(TESTID.paletteInput), "locked");
		await keys.keyboard("{Control>}{Enter}{/Control}");
		await waitFor(() => expect([app.page, app.search.query]).toEqual(["sessions", "locked"]));
	});
});

describe("the settings", () => {
	it("say what a retention will delete before it does", async () => {
		await open("sessions=30");
		await keys.keyboard("{Control>},{/Control}");
		await the(TESTID.settingsPage);
		const said = () => words(screen.getByTestId(TESTID.retentionWords));
		await waitFor(() => expect(said()).toContain("every session is kept"));
		type("retention-days", "0");
		expect(said()).toContain("cannot read that");
		type("retention-days", "1");
		await waitFor(() => expect(said()).toMatch(/Applying deletes \d+ sessions? now/));
		expect(await backend.call("get_retention", {})).toEqual({ days: null, gigabytes: null });
		press(screen.getByTestId(TESTID.applyRetention));
		await waitFor(() => expect(said()).toContain("This app deletes by itself"));
		expect(await backend.call("get_retention", {})).toEqual({ days: 1, gigabytes: null });
	});

	it("are kept by the host", async () => {
		await open();
		press(await the(TESTID.settings));
		press(await the(TESTID.sendDefaults));
		press(screen.getByText("UTC"));
		await waitFor(async () => {
			expect(await backend.call("get_setting", { key: "send-defaults" })).toBe(true);
			expect(await backend.call("get_setting", { key: "time-format" })).toBe("utc");
		});
	});
});

describe("secrets", () => {
	const store = () => screen.getByTestId(TESTID.secretStore);
	const settings = async (query: string) => {
		await open(query);
		press(await the(TESTID.settings));
		await the(TESTID.secretStore);
	};

	it("of a keychain have nothing to choose", async () => {
		await settings("");
		expect(words(store())).toContain("keychain of this system");
		expect(screen.queryByTestId(TESTID.secretStoreFile)).toBeNull();
	});

	it("move into an encrypted file once a passphrase was typed twice, and back", async () => {
		await settings("nokeychain");
		press(screen.getByTestId(TESTID.secretStoreFile));
		expect(words(store())).toContain("cannot be recovered");
		type(TESTID.secretStorePassphrase, "correct horse");
		type(`${TESTID.secretStorePassphrase}-again`, "correct");
		expect(words(store())).toContain("differ");
		expect(screen.getByTestId(TESTID.secretStoreApply)).toHaveProperty("disabled", true);
		type(`${TESTID.secretStorePassphrase}-again`, "correct horse");
		press(screen.getByTestId(TESTID.secretStoreApply));
		await waitFor(() => expect(store().dataset.kind).toBe("file"));
		expect(words(store())).toContain("encrypted to your passphrase");
		press(screen.getByTestId(TESTID.secretStoreMemory));
		expect(words(store())).toContain("stay in memory until this app ends");
		press(screen.getByTestId(TESTID.secretStoreApply));
		await waitFor(() => expect(store().dataset.kind).toBe("memory"));
	});

	it("of a locked file are had once its passphrase is right, also where a server failed for lack of one", async () => {
		await open("secretfile&scenario=needs-secret");
		const strip = await the(TESTID.unlockStrip);
		type(TESTID.unlockPassphrase, "wrong");
		press(screen.getByTestId(TESTID.unlockRun));
		await waitFor(() => expect(words(strip)).toContain("does not open the file"));
		type(TESTID.unlockPassphrase, PASSPHRASE);
		press(screen.getByTestId(TESTID.unlockRun));
		await waitFor(() => expect(app.session?.conn.state).toBe("connected"));
		expect(screen.queryByTestId(TESTID.unlockStrip)).toBeNull();
	});
});

describe("the app's own log", () => {
	const levels = () => all(TESTID.appLogLine).map((row) => row.dataset.level);

	it("is filtered by level and text, follows, and shows a line in full", async () => {
		await open();
		await keys.keyboard("{Control>}k{/Control}");
		await keys.type(await the(TESTID.paletteInput), "app log{Enter}");
		await the(TESTID.appLog);
		await waitFor(() => expect(levels().length).toBe(9));
		type(TESTID.appLogShown, "warn");
		expect(levels()).toEqual(["warn", "error", "warn"]);
		type(TESTID.appLogFilter, "DISK");
		expect(levels()).toEqual(["error"]);
		expect(words(screen.getByTestId(TESTID.appLogCount))).toBe("1 of 9");
		press(all(TESTID.appLogLine)[0] as HTMLElement);
		expect(words(await the(TESTID.appLogWhole))).toContain("caused by: database is busy");
		backend.log("error", "the disk is full");
		await waitFor(() => expect(levels()).toEqual(["error", "error"]));
		// What was chosen stays chosen when lines come.
		expect(words(screen.getByTestId(TESTID.appLogWhole))).toContain("caused by");
		type(TESTID.appLogFilter, "zzz");
		await screen.findByText("No line matches the filters.");
	});

	it("writes from the level that is chosen on, and of many lines draws those in sight", async () => {
		await open("applog=4000");
		app.show("app-log");
		await waitFor(() => expect(words(screen.getByTestId(TESTID.appLogCount))).toBe("2 000"));
		expect(levels().length).toBeLessThan(60);
		await screen.findByText(/older ones are in/);
		type(TESTID.appLogLevel, "error");
		await waitFor(async () => expect((await backend.call("app_log", {})).level).toBe("error"));
	});
});

vi.mock(import("../model/licences"), async (original) => ({
	...(await original()),
	readLicences: async () => [
		{ name: "react", version: "19.3.1", license: "MIT", text: "" },
		{ name: "tauri", version: "2.12.5", license: "Apache-2.0 OR MIT", text: "MIT License" },
	],
}));

it("the about box says the version, where data lies, and the licences, which can be searched", async () => {
	await open();
	press(await the(TESTID.settings));
	press(await the(TESTID.openAbout));
	const box = await the(TESTID.about);
	expect(words(box)).toContain("0.1.0");
	expect(words(box)).toContain("/home/ada/.local/share");
	await waitFor(() => expect(all(TESTID.licence).length).toBeGreaterThan(0));
	type(TESTID.licenceSearch, "tauri");
	await waitFor(() => expect(all(TESTID.licence).every((row) => words(row).includes("tauri"))).toBe(true));
	type(TESTID.licenceSearch, "no such package");
	await screen.findByText(/No package/);
});

it("every key of the window does what the list says", async () => {
	await open();
	await keys.keyboard("?");
	const list = await screen.findByRole("dialog");
	for (const key of ["Ctrl K", "Ctrl B", "Ctrl ,", "g s", "Shift T", "Ctrl Shift R"]) {
		expect(within(list).getByText(key)).toBeTruthy();
	}
	await keys.keyboard("{Escape}");
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
	await keys.keyboard("{Control>}2{/Control}");
	await waitFor(() => expect(app.serverRow?.name).toBe("fs-sandbox"));
	await keys.keyboard("gs");
	await waitFor(() => expect(app.page).toBe("sessions"));
	await keys.keyboard("{Control>},{/Control}");
	await waitFor(() => expect(app.page).toBe("settings"));
});

it("the status bar says what the host tells", async () => {
	await open();
	const bar = () => words(screen.getByTestId(TESTID.statusBar));
	await waitFor(() => expect(bar()).toContain("REC 1 session"));
	backend.emit("stats", { recording: 0, per_second: 1480, disk_bytes: 412e6, commit_p99_us: 12_000 });
	await waitFor(() => expect(bar()).toContain("Nothing to record"));
	for (const figure of ["1 480 frames/s", "db 412 MB", "commit p99 12.0 ms"]) expect(bar()).toContain(figure);
});
