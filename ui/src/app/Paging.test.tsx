/** Lists page by page, or as a whole. */
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import type { PageKind } from "../ipc/bindings/PageKind";
import { FakeBackend } from "../ipc/fake";
import { AppStore } from "../model/appStore";
import { CallStore } from "../model/calls";
import { Settings } from "../model/settings";
import { App } from "./App";
import { TESTID } from "./testids";

let backend: FakeBackend;
const words = (element: Element | null) => (element?.textContent ?? "").replaceAll("\u00a0", " ");
const pager = (what: PageKind) => {
	const found = screen.getAllByTestId(TESTID.pager).find((one) => one.dataset.what === what);
	if (!found) throw new Error(`no pager of ${what}`);
	return found;
};
const inPager = (what: PageKind) => within(pager(what));
const listed = () => screen.getAllByTestId(TESTID.toolRow).length;

beforeEach(async () => {
	backend = new FakeBackend();
	const settings = new Settings(backend);
	await settings.load();
	render(<App app={new AppStore(backend)} calls={new CallStore(backend)} settings={settings} />);
	await waitFor(() => expect(screen.queryAllByTestId(TESTID.toolRow).length).toBe(19));
});

it("reads tools one page at a time, each with its schema, and all of them again", async () => {
	const asked: (string | null)[] = [];
	const { call } = backend;
	backend.call = (name, args) => {
		if (name === "list_page") asked.push((args as { cursor: string | null }).cursor);
		return call.call(backend, name, args) as never;
	};
	fireEvent.click(inPager("tools").getByTestId(TESTID.pageByPage));
	await waitFor(() => expect(words(pager("tools"))).toContain("tools: 1 page, 10"));
	expect(listed()).toBe(10);
	expect(inPager("tools").getByTestId(TESTID.nextPage).title).toBe("cursor 10");
	fireEvent.click(
		screen.getAllByTestId(TESTID.toolRow).find((row) => row.dataset.tool === "orders.get") as Element,
	);
	await waitFor(() => expect(document.querySelector('[data-row="/order_id"]')).toBeTruthy());
	fireEvent.click(inPager("tools").getByTestId(TESTID.nextPage));
	await waitFor(() => expect(words(pager("tools"))).toContain("tools: 2 pages, 19"));
	expect(asked, "the cursor goes back as it came").toEqual([null, '"10"']);
	expect(inPager("tools").getByTestId<HTMLButtonElement>(TESTID.nextPage).disabled).toBe(true);
	expect(words(pager("tools"))).toContain("that was the last");
	fireEvent.click(inPager("tools").getByRole("button", { name: "All" }));
	await waitFor(() => expect(words(pager("tools"))).toContain("all 19 tools"));
});

it("reads resources and templates apart, and says why a page did not come", async () => {
	fireEvent.click(screen.getByTestId(TESTID.tabResources));
	await waitFor(() => expect(pager("templates")).toBeTruthy());
	fireEvent.click(inPager("templates").getByTestId(TESTID.pageByPage));
	await waitFor(() => expect(pager("templates").dataset.pages).toBe("1"));
	expect(pager("resources").dataset.pages).toBeUndefined();
	const { call } = backend;
	backend.call = (name, args) =>
		name === "list_page"
			? (Promise.reject({ code: "x", message: "-32602 <i>bad</i> cursor" }) as never)
			: call.call(backend, name, args);
	fireEvent.click(inPager("templates").getByTestId(TESTID.nextPage));
	await waitFor(() => expect(words(pager("templates"))).toContain("-32602 <i>bad</i> cursor"));
	expect(pager("templates").dataset.pages, "what is there stays").toBe("1");
	backend.call = call.bind(backend);
	fireEvent.click(inPager("templates").getByRole("button", { name: "Try again" }));
	await waitFor(() => expect(pager("templates").dataset.pages).toBe("2"));
});
