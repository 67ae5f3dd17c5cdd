/** The Tools and Compose tabs, with keys alone wherever a user could. */
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { FakeBackend } from "../ipc/fake";
import { AppStore } from "../model/appStore";
import { toolCall } from "../model/callable";
import { CallStore } from "../model/calls";
import { itemKey } from "../model/drafts";
import { editAndResend } from "../model/resend";
import { Settings } from "../model/settings";
import { App } from "./App";
import { TESTID } from "./testids";

let backend: FakeBackend;
let app: AppStore;
let settings: Settings;
const keys = userEvent.setup();

const words = (element: HTMLElement) => (element.textContent ?? "").replaceAll("\u00a0", " ");
const sent = () => words(screen.getByTestId(TESTID.willSend));
const result = () => screen.getByTestId(TESTID.result);
const field = (id: string) => {
	const row = document.querySelector<HTMLElement>(`[data-row="${id}"]`);
	if (!row) throw new Error(`no row ${id}`);
	return row;
};
const input = (id: string) => {
	const found = field(id).querySelector<HTMLElement>("textarea, input:not([type=radio])");
	if (!found) throw new Error(`no input in ${id}`);
	return found;
};

async function open(query = ""): Promise<void> {
	backend = new FakeBackend(new URLSearchParams(query));
	app = new AppStore(backend);
	settings = new Settings(backend);
	await settings.load();
	render(<App app={app} calls={new CallStore(backend)} settings={settings} />);
	await waitFor(() => expect(screen.queryAllByTestId(TESTID.toolRow).length).toBeGreaterThan(0));
}

/** Finds a tool by its name and goes into its form, by keys. */
async function choose(name: string): Promise<void> {
	await waitFor(async () => {
		await keys.keyboard("{Control>}p{/Control}");
		expect(document.activeElement).toBe(screen.getByTestId(TESTID.toolSearch));
	});
	await keys.paste(name);
	await keys.keyboard("{Enter}");
	// The focus follows once the form is drawn.
	await waitFor(() => expect(document.activeElement).not.toBe(screen.getByTestId(TESTID.toolSearch)));
	await waitFor(() =>
		expect(document.querySelector<HTMLElement>(".pane[data-tool]")?.dataset.tool).toBe(name),
	);
}

const send = () => keys.keyboard("{Control>}{Enter}{/Control}");

describe("a form", () => {
	beforeEach(() => open());

	it("is filled by keys alone, and the frame follows every one of them", async () => {
		await choose("orders.create");
		await waitFor(() => expect(document.activeElement).toBe(input("/sku")));
		await keys.keyboard("KX");
		await waitFor(() => expect(sent()).toContain('"arguments":{"sku":"KX","total_cents":9007199254740993'));
		await keys.tab();
		expect(document.activeElement).toBe(input("/quantity"));
		await keys.keyboard("250");
		await waitFor(() => expect(words(field("/quantity"))).toContain("Our check: above maximum 99"));
		expect(screen.getByTestId(TESTID.willSend).querySelector("[class*=wavy]")?.textContent).toBe("250");
		await keys.tab();
		expect(document.activeElement?.textContent).toBe("Send anyway");
		await keys.keyboard("{Enter}");
		expect(words(field("/quantity"))).not.toContain("Our check");
		fireEvent.change(input("/quantity"), { target: { value: "251" } });
		await waitFor(() => expect(words(field("/quantity")), "it is another value").toContain("Our check"));
		await send();
		await waitFor(() => expect(result().dataset.verdict, "sending is possible all the same").toBe("ok"));
		await waitFor(() => expect(words(result())).toContain("1 mismatch"));
	});

	it("goes on to the next field at once, whatever the last check said of the one before", async () => {
		await choose("orders.create");
		await waitFor(() => expect(document.activeElement).toBe(input("/sku")));
		await waitFor(() => expect(screen.getByTestId(TESTID.checkSummary).textContent).toMatch(/fail/));
		await keys.keyboard("KX{Tab}");
		expect(document.activeElement, "sku was missing").toBe(input("/quantity"));
		await keys.keyboard("250");
		await waitFor(() => expect(words(field("/quantity"))).toContain("Send anyway"));
		await keys.keyboard("{Backspace}{Tab}");
		expect(document.activeElement, "250 was too much").not.toBe(document.body);
		expect(document.activeElement?.textContent, "250 was too much").not.toBe("Send anyway");
	});

	it("has null, empty and omit under Alt, and brings typed text back", async () => {
		await choose("orders.create");
		input("/note").focus();
		await keys.keyboard("hello");
		await keys.keyboard("{Alt>}{n}{/Alt}");
		fireEvent.keyDown(input("/note"), { altKey: true, code: "KeyN" });
		await waitFor(() => expect(sent()).toContain('"note":null'));
		fireEvent.keyDown(input("/note"), { altKey: true, code: "KeyE" });
		await waitFor(() => expect(sent()).toContain('"note":""'));
		fireEvent.keyDown(input("/note"), { altKey: true, code: "KeyO" });
		await waitFor(() => expect(sent()).not.toContain('"note"'));
		await keys.click(within(field("/note")).getByText("text"));
		await waitFor(() => expect(sent()).toContain('"note":"hello'));
	});

	it("masks a secret in the frame that it shows", async () => {
		await choose("orders.create");
		fireEvent.change(input("/payment/token"), { target: { value: "4242-4242" } });
		await waitFor(() => expect(sent()).toContain('"token":"••••"'));
		expect(sent()).not.toContain("4242");
		await keys.keyboard("{Control>}j{/Control}");
		await waitFor(() => expect(sent(), "in JSON it stands beside it anyway").toContain("4242-4242"));
	});

	it("adds tokens and takes the last one back", async () => {
		await choose("orders.create");
		input("/tags").focus();
		await keys.keyboard("b2b{Enter}fragile{Enter}");
		await waitFor(() => expect(sent()).toContain('"tags":["b2b","fragile"]'));
		await keys.keyboard("{Backspace}s");
		await send();
		await waitFor(() =>
			expect(sent(), "what is typed counts when it is sent").toContain('["b2b","fragiles"]'),
		);
	});

	it("changes over to JSON and back without touching the text", async () => {
		await choose("orders.create");
		input("/sku").focus();
		await keys.keyboard("KX");
		await keys.keyboard("{Control>}j{/Control}");
		const editor = await screen.findByTestId(TESTID.argsEditor);
		await waitFor(() => expect(editor.textContent).toContain('"total_cents":9007199254740993'));
		const draft = app.drafts.form(
			"tools",
			"s1",
			itemKey(1, "orders.create"),
			toolCall(await toolRow("orders.create")),
			() => ({ defaults: false }),
		);
		const odd = '{ "sku" : "A\\u0042", "quantity":1.0, "quantity":2, "extra": 7310000000000000123 }';
		act(() => draft.type(odd));
		await waitFor(() => expect(sent()).toContain(odd));
		await keys.keyboard("{Control>}j{/Control}");
		await waitFor(() => expect(field("/sku")).not.toBeNull());
		expect(field("/quantity").dataset.control, "a repeated key is left alone").toBe("twice");
		expect(words(field("/extra"))).toContain("extra");
		fireEvent.change(input("/sku"), { target: { value: "AB!" } });
		await waitFor(() => expect(sent()).toContain(odd.replace("A\\u0042", "AB!")));
	});

	it("says what is wrong with text that has no form", async () => {
		await choose("orders.create");
		const draft = app.drafts.form(
			"tools",
			"s1",
			itemKey(1, "orders.create"),
			toolCall(await toolRow("orders.create")),
			() => ({ defaults: false }),
		);
		act(() => draft.type('{"sku":'));
		expect(await screen.findByText(/The text is not JSON/)).toBeTruthy();
		await keys.click(screen.getByText("Edit as JSON"));
		expect((await screen.findByTestId(TESTID.argsEditor)).textContent).toContain('{"sku":');
	});

	it("draws every awkward part, and JSON fields for the rest", async () => {
		await choose("faults.awkward");
		const controls = [...document.querySelectorAll<HTMLElement>("[data-row]")].map((row) => [
			row.dataset.row,
			row.dataset.control,
		]);
		expect(Object.fromEntries(controls)).toMatchObject({
			"/code": "enum",
			"/country": "enum",
			"/colours": "multi",
			"/either": "choice",
			"/rows/0/sku": "text",
			"/pair": "json",
			"/extra": "text",
		});
		input("/anything").focus();
		await keys.keyboard("hello");
		expect(words(field("/anything"))).toContain("Not JSON");
		await keys.clear(input("/anything"));
		await keys.keyboard('"hi"');
		await waitFor(() => expect(sent()).toContain('"anything":"hi"'));
		await keys.click(within(field("/colours")).getByText("green"));
		await waitFor(() => expect(sent()).toContain('"colours":["green"]'));
		expect(input("/country").getAttribute("role"), "many choices are searched").toBe("combobox");
	});

	it("F33: shows a field's constraints, and the whole schema unaltered", async () => {
		await choose("orders.create");
		input("/sku").focus();
		expect(await screen.findByText(/Article number, as printed on the box/)).toBeTruthy();
		expect(words(field("/quantity"))).toContain("integer 1–99");
		await keys.click(screen.getByTestId(TESTID.schemaView));
		expect((await screen.findByTestId(TESTID.schemaText)).textContent).toContain(
			'"default": 9007199254740993',
		);
	});

	it("F34: a long description is folded", async () => {
		await choose("faults.awkward");
		const more = await screen.findByText("More");
		expect(more.getAttribute("aria-expanded")).toBe("false");
		await keys.click(more);
		expect(screen.getByText("Less").getAttribute("aria-expanded")).toBe("true");
	});

	it("F24: a tool whose schema says nothing is called with raw JSON, under a warning", async () => {
		await choose("faults.odd_schema");
		expect(await screen.findByText(/neither type nor properties/)).toBeTruthy();
		expect(screen.queryByTestId(TESTID.formView)).toBeNull();
		expect(screen.getByTestId(TESTID.argsEditor)).toBeTruthy();
		await send();
		await waitFor(() => expect(result().dataset.verdict).toBe("ok"));
	});

	it("starts with declared defaults where that is set", async () => {
		act(() => settings.setSendDefaults(true));
		await choose("orders.create");
		await waitFor(() => expect(sent()).toContain('"priority":"normal"'));
	});
});

describe("a call", () => {
	beforeEach(() => open());

	it("asks before a destructive tool, once in a session; not sending is one key", async () => {
		await choose("orders.refund");
		await keys.keyboard("SO-1");
		await send();
		await screen.findByTestId(TESTID.destructiveAsk);
		expect(document.activeElement).toBe(screen.getByTestId(TESTID.destructiveCancel));
		await keys.keyboard("{Enter}");
		expect(screen.queryByTestId(TESTID.destructiveAsk)).toBeNull();
		expect(result().dataset.verdict).toBeUndefined();
		await send();
		await screen.findByTestId(TESTID.destructiveAsk);
		await keys.tab();
		expect(document.activeElement).toBe(screen.getByTestId(TESTID.destructiveSend));
		await keys.keyboard("{Enter}");
		await waitFor(() => expect(result().dataset.verdict).toBe("ok"));
		const before = result().dataset.seq;
		await send();
		await waitFor(() => expect(result().dataset.seq).not.toBe(before));
	});

	it("shows progress, gives more time and is cancelled, beside another one", async () => {
		await choose("reports.run");
		await send();
		await waitFor(() => expect(screen.getAllByTestId(TESTID.runningCall).length).toBe(2));
		const running = () => screen.getAllByTestId(TESTID.runningCall)[1] as HTMLElement;
		expect(words(running())).toMatch(/(30|2\d) s left/);
		await waitFor(() => expect(words(running())).toMatch(/\d+\/120 · /), { timeout: 5000 });
		await keys.click(within(running()).getByText("+60 s"));
		await waitFor(() => expect(words(running())).toMatch(/(90|[78]\d) s left/));
		await keys.click(within(running()).getByText("Cancel"));
		await waitFor(() => expect(screen.getAllByTestId(TESTID.runningCall).length).toBe(1));
		await waitFor(() => expect(result().dataset.verdict).toBe("cancelled"));
	});

	it("that was answered late keeps its time-out, and shows the answer", async () => {
		await choose("reports.late");
		await send();
		await waitFor(() => expect(result().dataset.verdict).toBe("timeout"));
		await waitFor(() => expect(words(result())).toContain("late"), { timeout: 5000 });
		expect(result().dataset.verdict).toBe("timeout");
		await waitFor(() => expect(screen.getByTestId(TESTID.resultBody).textContent).toContain("better late"));
	});

	it("that failed says whose word it is, with code and data", async () => {
		await choose("faults.rpc_error");
		await send();
		const body = () => words(screen.getByTestId(TESTID.resultBody));
		await waitFor(() => expect(body()).toContain("JSON-RPC error from the server: -32042 custom failure"));
		await waitFor(() => expect(body()).toContain('"hint": "look here"'));
		await choose("faults.tool_error");
		await send();
		await waitFor(() => expect(result().dataset.verdict).toBe("is-error"));
		expect(words(result())).toContain("Tool isErrortrue");
	});

	it("shows our check beside the result, pinned to the line, and never hides it", async () => {
		await choose("orders.create");
		await send();
		await waitFor(() => expect(words(result())).toContain("1 mismatch"));
		await keys.click(screen.getByRole("tab", { name: /Structured/ }));
		const body = screen.getByTestId(TESTID.resultBody);
		await waitFor(() =>
			expect(body.querySelector(".line-bad")?.textContent).toContain("integer expected, got string"),
		);
		expect(body.querySelector(".line-bad")?.textContent).toContain('"9007199254740993"');
		await keys.click(screen.getByRole("tab", { name: /Schema check/ }));
		await waitFor(() => expect(words(body)).toContain("/structuredContent/total_cents"));
	});

	it("draws pictures and sounds from their data, links as text", async () => {
		await choose("stock.picture");
		await send();
		await waitFor(() => expect(screen.getByTestId(TESTID.resultBody).querySelector("img")).not.toBeNull());
		const body = screen.getByTestId(TESTID.resultBody);
		expect(body.querySelector("img")?.getAttribute("src")).toMatch(/^data:image\/png;base64,/);
		expect(body.querySelector("audio")?.getAttribute("src")).toMatch(/^data:audio\/wav;base64,/);
		expect(body.querySelector("a"), "nothing is fetched or opened").toBeNull();
		expect(words(body)).toContain("https://example.com/kx.pdf");
		expect(words(body)).toContain("block of type hologram");
	});
});

describe("compose", () => {
	beforeEach(() => open());

	it("sends bytes as typed and shows the answer", async () => {
		await keys.click(screen.getByTestId(TESTID.tabCompose));
		await keys.click(templateButton("unknown method"));
		await keys.click(screen.getByTestId(TESTID.composeSend));
		await waitFor(() => expect(result().dataset.verdict).toBe("error"));
		expect(words(screen.getByTestId(TESTID.resultBody))).toContain("Method not found: no/such/method");
		await keys.click(templateButton("cut off"));
		expect(await screen.findByText(/it is not JSON/)).toBeTruthy();
		const before = app.session?.records ?? 0;
		await keys.click(screen.getByTestId(TESTID.composeSend));
		await waitFor(() => expect(app.session?.records).toBe(before + 1));
	});

	it("takes up what was sent: a call with its exact arguments, anything else as text", async () => {
		await act(() => editAndResend(app, app.open?.session ?? "", 9));
		await waitFor(() =>
			expect(document.querySelector<HTMLElement>(".pane[data-tool]")?.dataset.tool).toBe("orders.create"),
		);
		await waitFor(() =>
			expect(sent()).toContain('"arguments":{"sku":"KX-2210-B","quantity":2,"total_cents":9007199254740993}'),
		);
		await act(() => editAndResend(app, app.open?.session ?? "", 7));
		const editor = await screen.findByTestId(TESTID.composeEditor);
		expect(editor.textContent).toContain('"method":"resources/read"');
		await keys.click(await screen.findByText("Use id 24"));
		await waitFor(() => expect(editor.textContent).toContain('"id":24,"method":"resources/read"'));
	});
});

it("says of a frame whose secrets were masked that their values are missing", async () => {
	await open("scenario=marks");
	await act(() => editAndResend(app, app.open?.session ?? "", 24));
	expect(app.problem).toContain("Secrets in frame #24 were masked");
});

describe("the list of tools", () => {
	beforeEach(() => open());

	it("groups by namespace, folds a group, and shows a broken tool as broken", async () => {
		const rows = () => screen.getAllByTestId(TESTID.toolRow);
		const broken = rows().find((row) => row.dataset.tool === "(tool 12)");
		expect(broken?.dataset.broken).toBe("");
		const before = rows().length;
		await keys.click(screen.getByText(/^orders\. 6$/));
		expect(rows().length).toBe(before - 6);
		screen.getByRole("listbox").focus();
		await keys.keyboard("{ArrowDown}");
		expect(rows().find((row) => row.getAttribute("aria-selected") === "true")?.dataset.tool).toBe(
			"stock.adjust",
		);
	});
});

function templateButton(name: string): HTMLElement {
	const found = screen
		.getAllByTestId(TESTID.composeTemplate)
		.find((button) => button.dataset.template === name);
	if (!found) throw new Error(`no template ${name}`);
	return found;
}

async function toolRow(name: string) {
	const { tools } = await backend.call("list_catalog", { session: app.open?.session ?? "", refresh: false });
	const found = tools.find((tool) => tool.name === name);
	if (!found) throw new Error(`no tool ${name}`);
	return found;
}
