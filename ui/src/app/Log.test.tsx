/** The Log tab. */
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { FakeBackend } from "../ipc/fake";
import { AppStore } from "../model/appStore";
import { CallStore } from "../model/calls";
import { Settings } from "../model/settings";
import { App } from "./App";
import { TESTID } from "./testids";

const words = (element: Element) => (element.textContent ?? "").replaceAll("\u00a0", " ");
const levels = () => screen.queryAllByTestId(TESTID.logLine).map((row) => row.dataset.level);

it("shows the messages of the log, follows it, filters by level and logger, and shows a message in the timeline", async () => {
	const backend = new FakeBackend(new URLSearchParams("scenario=logs"));
	const app = new AppStore(backend);
	const settings = new Settings(backend);
	await settings.load();
	render(<App app={app} calls={new CallStore(backend)} settings={settings} />);
	fireEvent.click(await screen.findByTestId(TESTID.tabLog));
	await waitFor(() => expect(levels().length).toBe(10));
	const choose = (id: string, value: string) =>
		fireEvent.change(screen.getByTestId(id), { target: { value } });
	choose(TESTID.logLevelFilter, "critical");
	// What is no level is not hidden by one.
	expect(levels()).toEqual(["critical", "alert", "emergency", "loud"]);
	choose(TESTID.loggerFilter, "=db");
	expect(levels()).toEqual(["alert", "loud"]);
	expect(words(screen.getByTestId(TESTID.logCount))).toBe("2 of 10");
	act(() => {
		backend.append(app.open?.session ?? "", {
			after: 5,
			kind: "notification",
			dir: "s2c",
			method: "notifications/message",
			body: '{"method":"notifications/message","params":{"level":"alert","logger":"db","data":"one more"}}',
		});
	});
	await waitFor(() => expect(levels()).toEqual(["alert", "loud", "alert"]));
	const last = screen.getAllByTestId(TESTID.logLine).at(-1) as HTMLElement;
	expect(words(last)).toContain("one more");
	fireEvent.click(last);
	await waitFor(() => expect(String(app.open?.selected?.row.seq)).toBe(last.dataset.seq));
});
