/** The Prompts tab, with keys wherever a user could. */
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { FakeBackend } from "../ipc/fake";
import { AppStore } from "../model/appStore";
import { CallStore } from "../model/calls";
import { Settings } from "../model/settings";
import { App } from "./App";
import { TESTID } from "./testids";

const keys = userEvent.setup();
const words = (element: HTMLElement) => (element.textContent ?? "").replaceAll("\u00a0", " ");
const sent = () => words(screen.getByTestId(TESTID.willSend));
const input = (id: string) => document.querySelector<HTMLElement>(`[data-row="${id}"] input`) as HTMLElement;

/** Methods that went to the host. */
async function open(change: (backend: FakeBackend) => void = () => undefined): Promise<string[]> {
	const backend = new FakeBackend();
	change(backend);
	const { call } = backend;
	const asked: string[] = [];
	backend.call = (name, args) => {
		if (name === "send_request") asked.push(`${(args as { draft: { params: string } }).draft.params}`);
		return call.call(backend, name, args) as never;
	};
	const app = new AppStore(backend);
	const settings = new Settings(backend);
	await settings.load();
	render(<App app={app} calls={new CallStore(backend)} settings={settings} />);
	fireEvent.click(await screen.findByTestId(TESTID.tabPrompts));
	return asked;
}

it("a prompt is filled in, completed with what else is filled in, and its messages shown", async () => {
	const asked = await open();
	const list = await screen.findAllByTestId(TESTID.toolRow);
	expect(list.map((row) => row.dataset.tool)).toEqual([
		"orders.apologise",
		"orders.review",
		"stock.forecast",
		"",
	]);
	expect(screen.getByText(/Item 4 of prompts\/list has no name/)).toBeTruthy();
	input("/order_id").focus();
	await keys.keyboard("SO-11");
	const offered = await screen.findByRole("option", { name: "SO-1101" });
	expect(offered).toBeTruthy();
	await keys.keyboard("{ArrowDown}{Enter}");
	await waitFor(() => expect(sent()).toContain('"arguments":{"order_id":"SO-1101"}'));
	await keys.tab();
	expect(document.activeElement).toBe(input("/language"));
	await keys.keyboard("D");
	await screen.findByRole("option", { name: "Deutsch" });
	expect(asked.at(-1)).toBe(
		'{"ref":{"type":"ref/prompt","name":"orders.apologise"},"argument":{"name":"language","value":"D"},"context":{"arguments":{"order_id":"SO-1101"}}}',
	);
	await keys.keyboard("{Escape}{Control>}{Enter}{/Control}");
	await waitFor(() => expect(screen.getByTestId(TESTID.result).dataset.verdict).toBe("ok"));
	const body = await screen.findByTestId(TESTID.resultBody);
	await waitFor(() => expect(words(body)).toContain("<b>kind</b>"));
	expect(body.querySelector("p b")?.textContent).toBe("user");
	expect(body.querySelectorAll("img").length).toBe(1);
	expect(within(body).getByText(/handbook.md/, { selector: "p" })).toBeTruthy();
	expect(words(screen.getByTestId(TESTID.result))).toContain("Tool isError—");
	fireEvent.click(list[1] as HTMLElement);
	expect(await screen.findByText(/The prompt names no arguments/)).toBeTruthy();
});

it("a server that declares no prompts is not asked until the user wants it", async () => {
	await open((backend) => {
		const { call } = backend;
		backend.call = async (name, args) => {
			const answer = await call.call(backend, name, args);
			if (name !== "get_server_info" || !answer) return answer as never;
			return { ...(answer as object), message: '{"result":{"capabilities":{"tools":{}}}}' } as never;
		};
	});
	const anyway = await screen.findByText("Ask anyway: prompts/list");
	expect(screen.queryAllByTestId(TESTID.toolRow)).toEqual([]);
	fireEvent.click(anyway);
	expect((await screen.findAllByTestId(TESTID.toolRow)).length).toBe(4);
});
