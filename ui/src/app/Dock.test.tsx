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
let calls: CallStore;
let settings: Settings;
const keys = userEvent.setup();

const rows = () => screen.queryAllByTestId(TESTID.timelineRow);
const row = (seq: number) => {
	const found = rows().find((element) => element.dataset.seq === String(seq));
	if (!found) throw new Error(`row ${seq} is not drawn`);
	return found;
};
const selected = () => app.open?.selected?.row.seq ?? null;
const words = (element: Element | null) => (element?.textContent ?? "").replaceAll("\u00a0", " ");
const chips = () => screen.queryAllByTestId(TESTID.filterChip).map(words);
const count = () => words(screen.getByTestId(TESTID.filterCount));

/** Opens the window on the fake host, with its live session of 19 records, and selects one. */
async function open(query = "", select?: number): Promise<void> {
	backend = new FakeBackend(new URLSearchParams(query));
	app = new AppStore(backend);
	settings = new Settings(backend);
	await settings.load();
	calls = new CallStore(backend);
	render(<App app={app} calls={calls} settings={settings} />);
	await waitFor(() => expect(rows().length).toBeGreaterThan(5));
	if (select !== undefined) fireEvent.click(row(select));
}

describe("filtering by a cell", () => {
	it("adds a chip for this or not this, and each can be removed", async () => {
		await open();
		const cell = row(9).querySelector("[data-column=method]");
		fireEvent.contextMenu(cell as Element);
		const menu = await screen.findByTestId(TESTID.rowMenu);
		await keys.click(within(menu).getByRole("menuitem", { name: /^Not\s*method:tools\/call/ }));
		await waitFor(() => expect(chips()).toEqual(["-method:tools/call"]));
		await waitFor(() => expect(count()).toBe("16 of 19"));
		await keys.click(screen.getByLabelText("Remove -method:tools/call"));
		await waitFor(() => expect(count()).toBe("19"));
	});

	it("offers all of the selected row where a key asks", async () => {
		await open("", 8);
		screen.getByTestId(TESTID.timeline).focus();
		await keys.keyboard("{Shift>}{F10}{/Shift}");
		const menu = await screen.findByTestId(TESTID.rowMenu);
		expect(words(menu)).toContain("kind:error");
		expect(words(menu)).toContain("method:resources/read");
	});
});

describe("what is typed", () => {
	beforeEach(() => open());
	const field = () => screen.getByTestId(TESTID.filterInput);
	/** Without a click: the panels take every pointer here for one at their separators, as nothing has a place. */
	const write = async (text: string) => {
		act(() => field().focus());
		await keys.keyboard(text);
	};

	it("becomes chips on Enter, and text again on Backspace", async () => {
		await write("kind:request -method:tools/*{Enter}");
		expect(chips()).toEqual(["kind:request", "-method:tools/*"]);
		expect((field() as HTMLInputElement).value).toBe("");
		await write("{Backspace}");
		expect(chips()).toEqual(["kind:request"]);
		expect((field() as HTMLInputElement).value).toBe("-method:tools/*");
	});

	it("is left by Escape: first the text, then the chips, then the field", async () => {
		await write("kind:request{Enter}orders");
		expect(chips()).toEqual(["kind:request"]);
		await keys.keyboard("{Escape}");
		expect((field() as HTMLInputElement).value).toBe("");
		await keys.keyboard("{Escape}");
		expect(chips()).toEqual([]);
		await keys.keyboard("{Escape}");
		expect(document.activeElement).not.toBe(field());
	});
});

describe("the keyboard", () => {
	it("jumps between errors, however far, and says where there is none", async () => {
		await open("", 19);
		await keys.keyboard("N");
		await waitFor(() => expect(selected()).toBe(11));
		await keys.keyboard("N");
		await waitFor(() => expect(selected()).toBe(8));
		await keys.keyboard("n");
		await waitFor(() => expect(selected()).toBe(11));
		await keys.keyboard("n");
		await screen.findByText("No error after this");
	});

	it("clears the selection, then the filter, then restores the dock", async () => {
		await open("", 8);
		await keys.keyboard("T");
		await act(async () => app.open?.open("kind:error"));
		await keys.keyboard("{Escape}");
		expect(selected()).toBeNull();
		expect(chips()).toEqual(["kind:error"]);
		await keys.keyboard("{Escape}");
		await waitFor(() => expect(chips()).toEqual([]));
		expect(screen.getByLabelText("Restore timeline")).toBeTruthy();
		await keys.keyboard("{Escape}");
		expect(await screen.findByLabelText("Maximise timeline")).toBeTruthy();
	});

	it("cancels the call that runs", async () => {
		await open();
		await keys.keyboard("x");
		await waitFor(() => expect(words(row(14))).toContain("cancelled"));
	});

	it("copies laid out and as received, and says so", async () => {
		await open("", 13);
		await keys.keyboard("y");
		await screen.findByText("Copied #13 laid out");
		expect(await navigator.clipboard.readText()).toContain('\n  "id": 22,');
		await keys.keyboard("Y");
		await screen.findByText("Copied #13 as received");
		expect(await navigator.clipboard.readText()).toMatch(/^\{"jsonrpc":"2.0","id":22,"result"/);
	});

	it("folds and unfolds the card at the tail", async () => {
		await open("crash");
		const card = screen.getByTestId(TESTID.exitCard);
		await keys.keyboard("h");
		expect(words(card)).not.toContain("In flight");
		expect(words(card)).toContain("The server exited with code 3");
		await keys.keyboard("l");
		expect(words(card)).toContain("In flight");
	});
});

describe("the columns", () => {
	it("can be hidden and widened without a pointer, and that is kept", async () => {
		await open();
		await keys.click(screen.getByTestId(TESTID.columns));
		await keys.click(await screen.findByLabelText("Gap to the record before"));
		expect(words(screen.getByTestId(TESTID.timeline))).not.toContain("Δ");
		fireEvent.change(screen.getByLabelText("Width of Method, pixels"), { target: { value: "200" } });
		const kept = await backend.call("get_setting", { key: "columns.timeline" });
		expect(kept).toEqual({ gap: 0, method: 200 });
		expect(screen.getByTestId(TESTID.timeline).style.getPropertyValue("--cols")).toContain("200px");
	});
});

describe("times", () => {
	it("are written as the setting says", async () => {
		await open();
		act(() => settings.setTimeFormat("utc"));
		const utc = new Date((app.open?.view?.row(18)?.at_us ?? 0) / 1000).toISOString().slice(11, 23);
		expect(words(row(19))).toContain(utc);
		expect(words(screen.getByTestId(TESTID.timeline))).toContain("Time, UTC");
	});
});

describe("a pair that the filter hides", () => {
	it("is offered in the detail, and shown when asked for", async () => {
		await open("", 13);
		await act(async () => app.open?.open("kind:result"));
		const detail = await screen.findByTestId(TESTID.detail);
		await within(detail).findByText("#9, its pair, is filtered out");
		await keys.click(within(detail).getByRole("button", { name: "Show" }));
		await waitFor(() => expect(row(9).className).toContain("peer"));
	});
});

describe("marks", () => {
	it("stand in their rows as words", async () => {
		await open("scenario=marks");
		for (const [seq, mark] of [
			[21, "late"],
			[22, "duplicate"],
			[23, "orphan"],
			[24, "redacted"],
			[26, "cancelled"],
			[27, "timed out"],
		] as const) {
			expect(words(row(seq))).toContain(mark);
		}
	});
});

describe("a call of several rounds", () => {
	const CHILDREN = [21, 25, 26, 27, 28, 29, 30];
	const drawn = () => rows().map((element) => Number(element.dataset.seq));
	beforeEach(async () => {
		await open("scenario=rounds");
		await waitFor(() => expect(words(row(20))).toContain("3 rounds"));
	});

	it("has its rounds under it, numbered, among the rows that came between", () => {
		expect(CHILDREN.map((seq) => row(seq).dataset.round)).toEqual(["1", "1", "2", "2", "2", "3", "3"]);
		expect(row(26).getAttribute("aria-label")).toContain("round 2 of the call #20");
		expect(words(row(29))).toContain("round 3");
		for (const seq of [22, 23, 24]) expect(row(seq).dataset.round).toBeUndefined();
	});

	it("is folded by click and by key; what is found in it unfolds it", async () => {
		await keys.click(screen.getByTestId(TESTID.foldRounds));
		await waitFor(() => expect(drawn()).not.toContain(26));
		expect(drawn().filter((seq) => seq >= 20)).toEqual([20, 22, 23, 24]);
		expect(words(row(20))).toContain("7 folded");
		expect(screen.getByTestId(TESTID.timeline).getAttribute("aria-rowcount")).toBe("24");
		fireEvent.click(row(20));
		await keys.keyboard("j");
		expect(selected(), "the next row is the one that is shown next").toBe(22);
		await keys.keyboard("k");
		await keys.keyboard("l");
		await waitFor(() => expect(drawn()).toContain(21));
		await keys.keyboard("jjh");
		expect(selected()).toBe(22);
		expect(drawn(), "22 stands in no round").toContain(21);
		await keys.keyboard("k");
		expect(selected()).toBe(21);
		await keys.keyboard("h");
		await waitFor(() => expect(selected()).toBe(20));
		await waitFor(() => expect(drawn()).not.toContain(21));
		await act(async () => app.open?.selectSeq(27));
		await waitFor(() => expect(drawn()).toContain(27));
	});

	it("keeps to the filter, folded or not", async () => {
		await act(async () => app.open?.open("kind:request"));
		await waitFor(() => expect(drawn().slice(-4)).toEqual([20, 22, 26, 29]));
		await keys.click(screen.getByTestId(TESTID.foldRounds));
		await waitFor(() => expect(drawn().slice(-2)).toEqual([20, 22]));
		await act(async () => app.open?.open("kind:result"));
		await waitFor(() => expect(drawn().slice(-1)).toEqual([24]));
		fireEvent.click(row(24));
		expect(selected()).toBe(24);
	});

	it("is settled by its last round", async () => {
		await act(() => calls.reread(app.open?.session ?? "", 20));
		const result = () => screen.getByTestId(TESTID.result);
		await waitFor(() => expect(result().dataset.seq).toBe("30"));
		expect(words(result())).toContain("Round 3 of 3 of the call #20.");
		fireEvent.click(row(20));
		await waitFor(() => expect(result().dataset.seq, "unless another is looked at").toBe("21"));
		expect(words(result())).toContain("Round 1 of 3 of the call #20. The server asked for more.");
	});

	it("shows the state of a round to the byte, and whether it is the server's", async () => {
		fireEvent.click(row(26));
		const bar = await screen.findByTestId(TESTID.roundBar);
		expect(words(bar)).toContain('"eyJzdGVwIjoxfQ\\u003d\\u003d.c2lnbmVk+/="');
		expect(words(bar)).toContain("as given in #21, to the byte");
		await keys.click(within(bar).getByRole("button", { name: "3" }));
		await waitFor(() => expect(selected()).toBe(29));
		await waitFor(() => expect(words(screen.getByTestId(TESTID.roundBar))).toContain("Round 3 of 3"));
	});
});
