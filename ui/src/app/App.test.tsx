import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { FakeBackend } from "../ipc/fake";
import { AppStore } from "../model/appStore";
import { CallStore } from "../model/calls";
import { Settings } from "../model/settings";
import { App } from "./App";
import { TESTID } from "./testids";

let backend: FakeBackend;
let app: AppStore;
const keys = userEvent.setup();

const rows = () => screen.queryAllByTestId(TESTID.timelineRow);
const row = (seq: number) => rows().find((element) => element.dataset.seq === String(seq));
const words = (element: HTMLElement) => (element.textContent ?? "").replaceAll("\u00a0", " ");

/** Opens the window on the fake host, with its live session of 19 records. */
async function open(query = ""): Promise<void> {
	backend = new FakeBackend(new URLSearchParams(query));
	app = new AppStore(backend);
	const settings = new Settings(backend);
	await settings.load();
	render(<App app={app} calls={new CallStore(backend)} settings={settings} />);
	await waitFor(() => expect(rows().length).toBeGreaterThan(5));
}

describe("the timeline", () => {
	beforeEach(() => open());

	it("shows the tail in order, with true indexes", () => {
		const seqs = rows().map((element) => Number(element.dataset.seq));
		expect(seqs.at(-1)).toBe(19);
		expect(seqs).toEqual(Array.from(seqs, (_, i) => (seqs[0] ?? 0) + i));
		expect(screen.getByTestId(TESTID.timeline).getAttribute("aria-rowcount")).toBe("20");
		expect(rows().at(-1)?.getAttribute("aria-rowindex")).toBe("20");
	});

	it("appends what comes", async () => {
		act(() => {
			backend.append(app.open?.session ?? "", {
				after: 1,
				kind: "stderr",
				dir: "s2c",
				body: "one more line",
			});
		});
		await waitFor(() => expect(words(row(20) as HTMLElement)).toContain("one more line"));
	});

	it("tints the pair of the selected row", async () => {
		fireEvent.click(row(13) as HTMLElement);
		await waitFor(() => expect(row(13)?.getAttribute("aria-selected")).toBe("true"));
		expect(row(9)?.className).toContain("peer");
	});

	it("filters as one types, counts, and clears", async () => {
		filterBy("kind:stderr");
		await waitFor(() => expect(words(screen.getByTestId(TESTID.filterCount))).toBe("3 of 19"));
		expect(new Set(rows().map((element) => element.dataset.kind))).toEqual(new Set(["stderr"]));
		filterBy("kind:stderr zzz");
		await keys.click(await screen.findByText("Clear filter"));
		await waitFor(() => expect(rows().length).toBeGreaterThan(5));
	});

	it("says what is wrong with a filter, and shows everything", async () => {
		filterBy("colour:red");
		expect(words(await screen.findByTestId(TESTID.filterProblem))).toContain("There is no key");
		expect(rows().length).toBeGreaterThan(5);
	});

	it("is walked with the keyboard", async () => {
		await keys.keyboard("G");
		await waitFor(() => expect(row(19)?.getAttribute("aria-selected")).toBe("true"));
		await keys.keyboard("kk");
		await waitFor(() => expect(row(17)?.getAttribute("aria-selected")).toBe("true"));
		await keys.keyboard("{Escape}");
		await waitFor(() => expect(row(17)?.getAttribute("aria-selected")).toBe("false"));
	});
});

describe("the detail", () => {
	beforeEach(() => open());

	it("keeps integers above 2^53 and 1.0", async () => {
		fireEvent.click(row(13) as HTMLElement);
		const body = await screen.findByTestId(TESTID.detailBody);
		await waitFor(() => expect(body.textContent).toContain("9007199254740993"));
		expect(body.textContent).toContain('"rate": 1.0');
	});

	it("writes out what cannot be seen, in the raw view", async () => {
		fireEvent.click(row(10) as HTMLElement);
		await keys.keyboard("2");
		await waitFor(() => expect(screen.getByTestId(TESTID.detailBody).textContent).toContain("ESC[33mWARN"));
	});

	it("shows the partner", async () => {
		fireEvent.click(row(13) as HTMLElement);
		await keys.keyboard("4");
		await waitFor(() =>
			expect(screen.getByTestId(TESTID.detailBody).textContent).toContain('"method": "tools/call"'),
		);
	});
});

describe("the headers", () => {
	const tab = (name: string) => screen.findByRole("tab", { name: new RegExp(`^${name}`) });

	it("are off on stdio, and say why", async () => {
		await open();
		fireEvent.click(row(13) as HTMLElement);
		const headers = await tab("Headers");
		expect(headers.getAttribute("aria-disabled")).toBe("true");
		expect(headers.title).toBe("stdio has no headers");
		await keys.keyboard("3");
		expect(screen.queryByTestId(TESTID.headers)).toBeNull();
	});

	it("are those of the exchange that carried the frame, with its status in the verdict", async () => {
		await open("http");
		await keys.click(screen.getByText("billing-http"));
		await waitFor(() => expect(row(5)?.dataset.kind).toBe("result"));
		fireEvent.click(row(5) as HTMLElement);
		await keys.keyboard("3");
		const said = words(await screen.findByTestId(TESTID.headers));
		for (const fact of ["POST", "http://127.0.0.1:3000/mcp", "‹secret:authorization›", "text/event-stream"])
			expect(said).toContain(fact);
		expect(words(screen.getByTestId(TESTID.httpStatus))).toBe("200");
		const verdict = () =>
			words(screen.getByTestId(TESTID.result).querySelector("[data-layer=HTTP]") as HTMLElement);
		await waitFor(() => expect(verdict()).toBe("HTTP200"));

		await keys.keyboard("4");
		const exchange = await screen.findByTestId(TESTID.exchange);
		expect(words(exchange)).toBe("httpframe #2POST #3200 #4end #6");
		await keys.click(within(exchange).getByText("200 #4"));
		await waitFor(() => expect(screen.getByTestId(TESTID.detail).dataset.seq).toBe("4"));
		fireEvent.click(row(1) as HTMLElement);
		await waitFor(async () =>
			expect((await tab("Headers")).title).toBe("No HTTP exchange carried this record"),
		);
	});
});

describe("servers and sessions", () => {
	it("adds a server by its command line, with the words it will be started with", async () => {
		await open();
		await keys.click(screen.getByTestId(TESTID.addServer));
		await keys.type(screen.getByTestId(TESTID.addServerInput), 'uv run "two words"');
		await waitFor(() =>
			expect(screen.getAllByTestId(TESTID.argvChip).map(words)).toEqual(["0uv", "1run", "2two words"]),
		);
		await keys.click(screen.getByTestId(TESTID.addServerConnect));
		await waitFor(() => expect(words(screen.getByTestId(TESTID.connState))).toContain("Connected"));
		expect(screen.getAllByTestId(TESTID.serverRow).some((element) => words(element).includes("uv"))).toBe(
			true,
		);
	});

	it("adds a server by its URL, and changes it", async () => {
		await open();
		await keys.click(screen.getByTestId(TESTID.addServer));
		await keys.type(screen.getByTestId(TESTID.addServerInput), "https://mcp.example.com/mcp");
		expect((screen.getByTestId(TESTID.transportHttp) as HTMLInputElement).checked).toBe(true);
		await keys.click(screen.getByTestId(TESTID.addHeader));
		await keys.type(screen.getByTestId(TESTID.headerName), "x-tenant");
		await keys.type(screen.getByTestId(TESTID.headerValue), "plain");
		await keys.click(screen.getByTestId(TESTID.addServerSave));
		await waitFor(() => expect(app.serverRow?.name).toBe("mcp.example.com"));
		expect(app.serverRow?.transport).toBe("http");

		await keys.click(await screen.findByTestId(TESTID.editServer));
		expect((screen.getByTestId(TESTID.headerValue) as HTMLInputElement).value).toBe("plain");
		await keys.clear(screen.getByTestId(TESTID.addServerName));
		await keys.type(screen.getByTestId(TESTID.addServerName), "remote");
		await keys.click(screen.getByTestId(TESTID.addServerSave));
		await waitFor(() => expect(app.serverRow?.name).toBe("remote"));
		expect(app.serverRow?.target).toBe("https://mcp.example.com/mcp");
		expect(app.servers.filter((server) => server.transport === "http").length).toBe(1);
	});

	it("shows how a server died, and offers to start it again", async () => {
		await open("crash");
		const card = await screen.findByTestId(TESTID.exitCard);
		for (const fact of ["The server exited with code 3", "database is locked", "tools/call reports.run"]) {
			expect(words(card)).toContain(fact);
		}
		await keys.click(within(card).getByText("Command"));
		expect(words(card)).toContain("/usr/local/bin:/usr/bin:/bin");
		await keys.click(within(card).getByText("Restart"));
		await waitFor(() => expect(words(screen.getByTestId(TESTID.connState))).toContain("Connected"));
		expect(screen.queryByTestId(TESTID.exitCard)).toBeNull();
	});

	it("opens a golden session of the command line with all its rows, read-only", async () => {
		await open();
		const golden = screen
			.getAllByTestId(TESTID.sessionRow)
			.filter((element) => element.dataset.origin === "import");
		for (const element of golden) {
			await keys.click(element);
			const session = app.session;
			await waitFor(() =>
				expect(Number(screen.getByTestId(TESTID.timeline).dataset.total)).toBe(session?.records),
			);
			expect(screen.queryByTestId(TESTID.connect)).toBeNull();
		}
	});

	it("deletes a server only after it was asked again", async () => {
		await open();
		await keys.click(screen.getByText("fs-sandbox"));
		serverRow("fs-sandbox").focus();
		await keys.keyboard("{Delete}");
		await keys.click(screen.getByTestId(TESTID.deleteConfirm));
		await waitFor(() => expect(screen.queryByText("fs-sandbox")).toBeNull());
	});
});

it("takes the theme from the setting", async () => {
	await open("theme=dark");
	expect(document.documentElement.dataset.theme).toBe("dark");
	await keys.click(screen.getByTestId(TESTID.theme));
	await keys.click(screen.getByTestId(TESTID.theme));
	expect(document.documentElement.dataset.theme).toBe("light");
	expect(await backend.call("get_setting", { key: "theme" })).toBe("light");
});

/** Without a layout every separator lies under the pointer, so the field is not clicked. */
function filterBy(text: string): void {
	fireEvent.change(screen.getByTestId(TESTID.filterInput), { target: { value: text } });
}

function serverRow(name: string): HTMLElement {
	const found = screen.getAllByTestId(TESTID.serverRow).find((element) => words(element).includes(name));
	if (!found) throw new Error(`no server ${name}`);
	return found;
}
