import { expect, it, vi } from "vitest";
import { FakeBackend } from "../ipc/fake";
import { Settings } from "./settings";

it("a setting that cannot be kept holds in the window, and that is told", async () => {
	const backend = new FakeBackend(new URLSearchParams("empty"));
	const { call } = backend;
	backend.call = async (name, args) => {
		if (name === "set_setting") throw { code: "store", message: "The disk is full." };
		return call.call(backend, name, args) as never;
	};
	const told: string[] = [];
	const settings = new Settings(backend, (problem) => told.push(problem));
	settings.setTheme("dark");
	expect(settings.theme).toBe("dark");
	await vi.waitFor(() =>
		expect(told).toEqual([
			"This app could not keep a setting: it holds until the window is closed. The disk is full.",
		]),
	);
});
