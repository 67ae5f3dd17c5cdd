/** What a user does on the way to a place. */
import type { Page } from "playwright-core";

export const row = (seq: number) => (page: Page) =>
	page.locator(`[data-testid=timeline-row][data-seq="${seq}"]`).click();
export const cell = (page: Page, seq: number, column: string) =>
	page.locator(`[data-testid=timeline-row][data-seq="${seq}"] [data-column=${column}]`);
export const server = (name: string) => (page: Page) =>
	page.getByTestId("server-row").filter({ hasText: name }).click();
export const filter = (text: string) => (page: Page) => page.getByTestId("filter-input").fill(text);
export const press = (key: string) => (page: Page) => page.keyboard.press(key);
export const steps =
	(...all: ((page: Page) => Promise<unknown>)[]) =>
	async (page: Page) => {
		for (const step of all) await step(page);
	};

export const click = (id: string) => (page: Page) => page.getByTestId(id).first().click();
/** A radio button is covered by its own words. */
export const choose = (id: string) => (page: Page) => page.getByTestId(id).check({ force: true });
export const type = (id: string, text: string) => (page: Page) => page.getByTestId(id).last().fill(text);
export const words = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
/** What is not there after this time is said to be waited for. */
export const patience = (page: Page) => page.waitForTimeout(400);
export const leaveTail = steps(
	(page) => page.getByTestId("timeline").hover(),
	(page) => page.mouse.wheel(0, -400),
);
export const found = (id: string) => (page: Page) => page.getByTestId(id).first().waitFor();
export const value = (what: "variable" | "header", name: string, text: string) =>
	steps(click(`add-${what}`), type(`${what}-name`, name), type(`${what}-value`, text));
const servers = JSON.stringify({
	mcpServers: {
		everything: {
			command: "npx",
			args: ["-y", "@modelcontextprotocol/server-everything", "--title", "EU stock"],
			env: { LOG_LEVEL: "debug", API_KEY: "sk-123456789012" },
			cwd: "/home/ada/src",
		},
		"crm-remote": { url: "https://mcp.crm.internal/mcp", headers: { Authorization: "Bearer x" } },
		"old-weather": {},
	},
});
export const pasted = steps(click("add-server"), type("paste-json", servers), found("paste-found"));
export const examined = (target: string, outcome: string) =>
	steps(click("add-server"), type("add-server-input", target), click("doctor-run"), (page) =>
		page.locator(`[data-testid=doctor-step][data-state=${outcome}]`).last().waitFor(),
	);
/** The list draws only what is in sight, so the tool is looked for. */
export const tool = (name: string) =>
	steps(
		type("tool-search", name),
		(page) => page.locator(`[data-testid=tool-row][data-tool="${name}"]`).click(),
		type("tool-search", ""),
	);
export const field = (pointer: string, text: string) => (page: Page) =>
	page.locator(`[data-row="${pointer}"] :is(textarea, input:not([type=radio]))`).first().fill(text);
export const answered = steps(click("send"), (page) =>
	page.locator("[data-testid=result][data-verdict]").waitFor(),
);
export const both = steps(click("send-both"), (page) =>
	page.locator("[data-testid=both-eras][data-running=false]").waitFor(),
);
export const order = steps(tool("orders.create"), field("/sku", "KX-2210-B"), field("/quantity", "250"));
export const sessions = steps(click("all-sessions"), found("session-line"));

export const exporting = steps(
	press("Control+k"),
	type("palette-input", "export this"),
	press("Enter"),
	found("export-sample"),
);
export const exportRule = (kind: string, text: string) =>
	steps(click(`export-add-rule-${kind}`), (page) =>
		page.locator(`[data-testid=export-rule][data-kind=${kind}] input`).last().fill(text),
	);
export const passphrases = (first: string, second: string) =>
	steps(click("export-encrypt"), type("export-passphrase", first), type("export-passphrase-again", second));

export const read = (name: string) =>
	steps(click("tab-resources"), tool(name), click("send"), found("viewer"));

export const edited = steps(server("crm-remote"), click("edit-server"), found("auth"));
export const signedIn = steps(
	click("sign-in"),
	click("sign-in-agree"),
	type("sign-in-back", "http://127.0.0.1:49152/callback?code=c0de&state=k3J9x0"),
	click("sign-in-finish"),
);
