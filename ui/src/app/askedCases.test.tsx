/** Public faults of other clients in what a server asks, by the ids under which they are collected. */
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { InputAnswer } from "../ipc/bindings/InputAnswer";
import type { InputRow } from "../ipc/bindings/InputRow";
import { FakeBackend } from "../ipc/fake";
import { AppStore } from "../model/appStore";
import { CallStore } from "../model/calls";
import { Settings } from "../model/settings";
import { App } from "./App";
import { TESTID } from "./testids";

/** The page with one question of the server: its card, and what is answered. */
async function ask(params: unknown) {
	const backend = new FakeBackend(new URLSearchParams("asks"));
	const answers: unknown[] = [];
	const { call } = backend;
	const row = { key: null, method: "elicitation/create", params: JSON.stringify(params), request: null };
	backend.call = (async (name: never, args: never) => {
		const answer = await call.call(backend, name, args);
		if (name === "answer_input") answers.push((args as { answer: InputAnswer }).answer);
		if (name !== "list_inputs") return answer;
		const asked: InputRow = { ...row, seq: 12, since_us: 0, visiting: false };
		return answers.length > 0 || (answer as unknown[]).length === 0 ? [] : [asked];
	}) as never;
	const app = new AppStore(backend);
	const settings = new Settings(backend);
	await settings.load();
	render(<App app={app} calls={new CallStore(backend)} settings={settings} />);
	fireEvent.click(await screen.findByTestId(TESTID.tabInputs));
	const card = await screen.findByTestId(TESTID.input);
	const field = (id: string) => card.querySelector<HTMLElement>(`[data-row="${id}"]`);
	return { card, field, answers };
}

it("F14: defaults, titles, bounds and choices of a form are those of the server", async () => {
	const keys = userEvent.setup();
	const titled = (value: string, title: string) => ({ const: value, title });
	const { card, field, answers } = await ask({
		mode: "form",
		message: "Plan a visit",
		requestedSchema: {
			type: "object",
			properties: {
				size: { type: "integer", title: "Guests", minimum: 1, maximum: 8, default: 2 },
				area: { type: "string", oneOf: [titled("in", "Inside"), titled("out", "Terrace")] },
				diet: {
					type: "array",
					minItems: 1,
					items: { anyOf: [titled("v", "Vegan"), titled("g", "No gluten")] },
				},
				old: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] },
				mail: { type: "string", format: "email" },
			},
			required: ["size", "diet"],
		},
	});
	expect(field("/size")?.querySelector("label")?.title).toContain("Guests");
	fireEvent.focus(field("/size")?.querySelector("input") as HTMLElement);
	await waitFor(() => expect(card.textContent).toContain("Guests"));
	expect(field("/size")?.querySelector("input")?.value).toBe("2");
	expect(field("/size")?.textContent).toMatch(/1.*8/);
	for (const [id, title] of [
		["/area", "Terrace"],
		["/diet", "Vegan"],
		["/old", "Small"],
	] as const) {
		expect(field(id)?.textContent, id).toContain(title);
		expect(field(id)?.querySelector("textarea"), `${id} is no JSON box`).toBeNull();
	}
	await keys.click(within(field("/area") as HTMLElement).getByText("Terrace"));
	await keys.click(within(field("/diet") as HTMLElement).getByText("Vegan"));
	await keys.click(within(card).getByTestId(TESTID.inputAccept));
	await waitFor(() => expect(answers.length).toBe(1));
	const [answer] = answers as [{ json: string }];
	expect(JSON.parse(answer.json)).toEqual({
		action: "accept",
		content: { size: 2, area: "out", diet: ["v"] },
	});
});

it.each([
	["decline", (card: HTMLElement) => within(card).getByTestId(TESTID.inputDecline)],
	["cancel", (card: HTMLElement) => within(card).getByRole("button", { name: "Cancel" })],
])("F14: %s is an answer of its own", async (action, button) => {
	const { card, answers } = await ask({ message: "Plan a visit", requestedSchema: { type: "object" } });
	fireEvent.click(button(card));
	await waitFor(() => expect(answers).toEqual([{ kind: "result", json: `{"action":"${action}"}` }]));
});

it("F15: a list without bounds and a $ref are drawn, and answered", async () => {
	const keys = userEvent.setup();
	const { card, field, answers } = await ask({
		message: "Pick",
		requestedSchema: {
			type: "object",
			$defs: { F: { type: "string", enum: ["fig", "plum"], default: "fig" } },
			properties: {
				fruit: { $ref: "#/$defs/F" },
				many: { type: "array", items: { type: "string", enum: ["a", "b"] } },
			},
		},
	});
	expect(field("/fruit")?.textContent).toContain("plum");
	await keys.click(within(field("/many") as HTMLElement).getByText("b"));
	await keys.click(within(card).getByTestId(TESTID.inputAccept));
	await waitFor(() => expect(answers.length).toBe(1));
	const [answer] = answers as [{ json: string }];
	expect(JSON.parse(answer.json)).toEqual({ action: "accept", content: { fruit: "fig", many: ["b"] } });
});

it.each([
	["no schema at all", undefined],
	["a schema that is no object", 7],
	["a $ref to nowhere", { type: "object", properties: { x: { $ref: "#/$defs/None" } } }],
])("F15: %s is answered all the same", async (_what, requestedSchema) => {
	const { card, answers } = await ask({ message: "Pick", requestedSchema });
	expect(card.textContent).toContain("Pick");
	expect(answers, "nothing is answered by itself").toEqual([]);
	fireEvent.click(within(card).getByText("Raw answer"));
	fireEvent.click(within(card).getByTestId(TESTID.inputAccept));
	await waitFor(() => expect(answers.length).toBe(1));
});
