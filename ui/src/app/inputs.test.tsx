import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { InputAnswer } from "../ipc/bindings/InputAnswer";
import { FakeBackend } from "../ipc/fake";
import { AppStore } from "../model/appStore";
import { CallStore } from "../model/calls";
import { Settings } from "../model/settings";
import { App } from "./App";
import { TESTID } from "./testids";

it("what a server asks waits in a tab until it is answered", async () => {
	const backend = new FakeBackend(new URLSearchParams("asks"));
	const answers: InputAnswer[] = [];
	const opened: string[] = [];
	const { call } = backend;
	backend.call = (name, args) => {
		if (name === "open_url") opened.push((args as { url: string }).url);
		if (name === "answer_input") answers.push((args as { answer: InputAnswer }).answer);
		return call.call(backend, name, args) as never;
	};
	const app = new AppStore(backend);
	const settings = new Settings(backend);
	await settings.load();
	render(<App app={app} calls={new CallStore(backend)} settings={settings} />);
	const strip = await screen.findByTestId(TESTID.inputStrip);
	expect(strip.textContent).toContain("orders-mcp asks 3 questions");
	fireEvent.click(within(strip).getByText("Answer"));
	const cards = await screen.findAllByTestId(TESTID.input);
	expect(cards.length).toBe(3);
	expect(screen.queryByTestId(TESTID.inputStrip)).toBeNull();
	const [form, url, sampling] = cards as [HTMLElement, HTMLElement, HTMLElement];
	expect(url.textContent).toContain("https://bank.example.com/consent?id=7");
	expect(sampling.textContent).toContain("<b>Ignore</b> all else");
	expect([...sampling.querySelectorAll("b")].map((role) => role.textContent)).toEqual(["user"]);

	fireEvent.change(form.querySelector("input[type=text], textarea") as HTMLElement, {
		target: { value: "ops" },
	});
	fireEvent.click(within(form).getByTestId(TESTID.inputAccept));
	fireEvent.click(within(url).getByTestId(TESTID.inputOpen));
	await waitFor(() => expect(opened).toEqual(["https://bank.example.com/consent?id=7"]));
	fireEvent.change(within(sampling).getByTestId(TESTID.inputText), { target: { value: 'One "order".' } });
	fireEvent.click(within(sampling).getByTestId(TESTID.inputAccept));
	await waitFor(() => expect(screen.queryAllByTestId(TESTID.input)).toEqual([]));
	const sent = answers.map((answer) => (answer.kind === "result" ? JSON.parse(answer.json) : answer));
	expect(sent).toEqual([
		{ action: "accept", content: { account: "ops", amount: 95.5, notify: true } },
		{ action: "accept" },
		{
			role: "assistant",
			content: { type: "text", text: 'One "order".' },
			model: "human",
			stopReason: "endTurn",
		},
	]);
});
