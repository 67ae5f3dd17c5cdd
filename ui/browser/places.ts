/** The places of the app that are checked and of which pictures are taken. A new page or state is a row here. */
import type { Page } from "playwright-core";

export interface Place {
	/** Names the test and the picture. */
	name: string;
	/** What the fake host plays, as in the address: see `src/ipc/fake/index.ts`. */
	query?: string;
	/** Goes there from the open window, as a user does. */
	go?: (page: Page) => Promise<unknown>;
}

const row = (seq: number) => (page: Page) =>
	page.locator(`[data-testid=timeline-row][data-seq="${seq}"]`).click();
const cell = (page: Page, seq: number, column: string) =>
	page.locator(`[data-testid=timeline-row][data-seq="${seq}"] [data-column=${column}]`);
const server = (name: string) => (page: Page) =>
	page.getByTestId("server-row").filter({ hasText: name }).click();
const filter = (text: string) => (page: Page) => page.getByTestId("filter-input").fill(text);
const press = (key: string) => (page: Page) => page.keyboard.press(key);
const then =
	(...steps: ((page: Page) => Promise<unknown>)[]) =>
	async (page: Page) => {
		for (const step of steps) await step(page);
	};

const click = (id: string) => (page: Page) => page.getByTestId(id).first().click();
/** A radio button is covered by its own words. */
const choose = (id: string) => (page: Page) => page.getByTestId(id).check({ force: true });
const type = (id: string, text: string) => (page: Page) => page.getByTestId(id).last().fill(text);
const words = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
/** What is not there after this time is said to be waited for. */
const patience = (page: Page) => page.waitForTimeout(400);
const leaveTail = then(
	(page) => page.getByTestId("timeline").hover(),
	(page) => page.mouse.wheel(0, -400),
);
const found = (id: string) => (page: Page) => page.getByTestId(id).first().waitFor();
const value = (what: "variable" | "header", name: string, text: string) =>
	then(click(`add-${what}`), type(`${what}-name`, name), type(`${what}-value`, text));
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
const pasted = then(click("add-server"), type("paste-json", servers), found("paste-found"));
const examined = (target: string, outcome: string) =>
	then(click("add-server"), type("add-server-input", target), click("doctor-run"), (page) =>
		page.locator(`[data-testid=doctor-step][data-state=${outcome}]`).last().waitFor(),
	);
/** The list draws only what is in sight, so the tool is looked for. */
const tool = (name: string) =>
	then(
		type("tool-search", name),
		(page) => page.locator(`[data-testid=tool-row][data-tool="${name}"]`).click(),
		type("tool-search", ""),
	);
const field = (pointer: string, text: string) => (page: Page) =>
	page.locator(`[data-row="${pointer}"] :is(textarea, input:not([type=radio]))`).first().fill(text);
const answered = then(click("send"), (page) => page.locator("[data-testid=result][data-verdict]").waitFor());
const both = then(click("send-both"), (page) =>
	page.locator("[data-testid=both-eras][data-running=false]").waitFor(),
);
const order = then(tool("orders.create"), field("/sku", "KX-2210-B"), field("/quantity", "250"));
const sessions = then(click("all-sessions"), found("session-line"));

const exporting = then(
	press("Control+k"),
	type("palette-input", "export this"),
	press("Enter"),
	found("export-sample"),
);
const exportRule = (kind: string, text: string) =>
	then(click(`export-add-rule-${kind}`), (page) =>
		page.locator(`[data-testid=export-rule][data-kind=${kind}] input`).last().fill(text),
	);
const passphrases = (first: string, second: string) =>
	then(click("export-encrypt"), type("export-passphrase", first), type("export-passphrase-again", second));

const read = (name: string) => then(click("tab-resources"), tool(name), click("send"), found("viewer"));

const edited = then(server("crm-remote"), click("edit-server"), found("auth"));
const signedIn = then(
	click("sign-in"),
	click("sign-in-agree"),
	type("sign-in-back", "http://127.0.0.1:49152/callback?code=c0de&state=k3J9x0"),
	click("sign-in-finish"),
);

export const PLACES: readonly Place[] = [
	{ name: "empty", query: "empty" },
	{ name: "first", query: "first", go: server("demo server") },
	{ name: "live" },
	{ name: "long-names", query: "scenario=long" },
	{ name: "connecting", query: "scenario=connecting&hang=list_catalog" },
	{
		name: "tail-left",
		query: "scenario=busy",
		go: then(found("timeline-row"), leaveTail, found("new-rows")),
	},
	{ name: "timeline-failed", query: "fail=view_rows" },
	{ name: "bare-tools", query: "bare" },
	{ name: "bare-resources", query: "bare", go: click("tab-resources") },
	{
		name: "bare-prompts",
		query: "bare",
		go: then(click("tab-prompts"), words("The server lists no prompts")),
	},
	{ name: "bare-log", query: "bare", go: click("tab-log") },
	{ name: "bare-inputs", query: "bare", go: click("tab-inputs") },
	{ name: "tools-loading", query: "hang=list_catalog", go: patience },
	{ name: "tools-failed", query: "fail=list_catalog", go: words("tools/list failed") },
	{ name: "tools-no-match", go: then(found("tool-form"), type("tool-search", "zzz")) },
	{ name: "resources-loading", query: "hang=list_offers", go: then(click("tab-resources"), patience) },
	{
		name: "resources-failed",
		query: "fail=list_offers",
		go: then(click("tab-resources"), words("no answer within")),
	},
	{ name: "detail", go: row(13) },
	{ name: "detail-raw", go: then(row(10), press("2")) },
	{ name: "detail-pair", go: then(row(13), press("4")) },
	{ name: "headers", query: "http", go: then(server("billing-http"), row(5), press("3")) },
	{ name: "detail-loading", query: "scenario=huge&hang=get_frame", go: then(row(21), patience) },
	{ name: "detail-failed", query: "scenario=huge&fail=get_frame", go: row(21) },
	{ name: "exit", query: "crash" },
	{
		name: "exit-folded",
		query: "crash",
		go: then(press("h"), (page) => page.getByRole("grid").focus(), press("h")),
	},
	{
		name: "exit-command",
		query: "crash",
		go: (page) => page.getByRole("button", { name: "Command" }).click(),
	},
	{
		name: "exit-later",
		go: then(order, tool("server.crash"), click("send"), found("exit-card"), tool("orders.create")),
	},
	{ name: "lost", query: "scenario=lost" },
	{ name: "closed", go: then(found("tool-form"), click("stop"), found("exit-card")) },
	{ name: "exit-maximised", query: "crash", go: then(row(13), press("Shift+T")) },
	{ name: "hostile", query: "scenario=hostile", go: then(row(26), press("Shift+T")) },
	{ name: "hostile-raw", query: "scenario=hostile", go: then(row(26), press("2")) },
	{ name: "marks", query: "scenario=marks", go: row(24) },
	{ name: "rounds", query: "scenario=rounds", go: then(found("fold-rounds"), row(26)) },
	{ name: "rounds-folded", query: "scenario=rounds", go: then(click("fold-rounds"), row(20)) },
	{ name: "huge", query: "scenario=huge", go: row(21) },
	{
		name: "prompts",
		go: then(
			click("tab-prompts"),
			(page) => page.locator('[data-row="/order_id"] input').fill("SO-1042"),
			click("send"),
			found("result-body"),
		),
	},
	{
		name: "prompts-complete",
		go: then(
			click("tab-prompts"),
			(page) => page.locator('[data-row="/language"] input').click(),
			(page) => page.getByRole("option", { name: "Deutsch" }).waitFor(),
		),
	},
	{ name: "resources", go: read("open-orders") },
	{ name: "resources-markdown", go: read("handbook.md") },
	{ name: "resources-bytes", go: read("sheet.pdf") },
	{ name: "resources-template", go: then(click("tab-resources"), tool("stock"), found("tool-form")) },
	{ name: "resources-subscribed", go: then(read("open-orders"), click("subscribe"), click("listen-lists")) },
	{ name: "log", query: "scenario=logs", go: then(click("tab-log"), found("log-line")) },
	{ name: "server", go: then(click("tab-server"), found("capabilities"), click("add-root")) },
	{
		name: "stateless",
		go: then(click("tab-server"), click("stateless-tools"), click("stateless"), (page) =>
			page.locator("[data-testid=stateless-words][data-running=false]").scrollIntoViewIfNeeded(),
		),
	},
	{ name: "pages", go: then(click("page-by-page"), (page) => page.locator("[data-pages='1']").waitFor()) },
	{
		name: "pages-resources",
		go: then(
			click("tab-resources"),
			click("page-by-page"),
			(page) => page.locator("[data-pages='1']").waitFor(),
			click("next-page"),
			(page) => page.locator("[data-pages='2']").waitFor(),
		),
	},
	{ name: "inputs", query: "asks", go: then(click("tab-inputs"), found("input")) },
	{ name: "inputs-strip", query: "asks" },
	{
		name: "inputs-sampling",
		query: "asks",
		go: then(click("tab-inputs"), (page) => page.getByTestId("input").last().scrollIntoViewIfNeeded()),
	},
	{ name: "not-recording", query: "scenario=not-recording" },
	{ name: "not-recording-sessions", query: "scenario=not-recording", go: sessions },
	{ name: "connect-failed", query: "scenario=connect-failed" },
	{ name: "tool-form", go: order },
	{ name: "tool-json", go: then(order, choose("json-view")) },
	{ name: "tool-schema", go: then(order, choose("schema-view")) },
	{ name: "tool-awkward", go: tool("faults.awkward") },
	{ name: "tool-destructive", go: then(tool("orders.cancel"), field("/order_id", "SO-1042"), click("send")) },
	{ name: "tool-result", go: then(tool("orders.get"), field("/order_id", "SO-1042"), answered) },
	{ name: "tool-picture", go: then(tool("stock.picture"), answered) },
	{ name: "tool-rpc-error", go: then(tool("faults.rpc_error"), answered) },
	{ name: "tool-error", go: then(tool("faults.tool_error"), answered) },
	{ name: "tool-late", go: then(tool("reports.late"), answered) },
	{
		name: "tool-running",
		go: then(tool("reports.run"), click("send"), (page) => page.getByTestId("running-call").nth(1).waitFor()),
	},
	{
		name: "tool-not-sent",
		query: "fail=send_request",
		go: then(tool("orders.get"), field("/order_id", "SO-1042"), click("send"), words("no answer within")),
	},
	{ name: "both-eras", go: then(tool("stock.get"), both) },
	{ name: "both-eras-error", go: then(tool("faults.rpc_error"), both) },
	{ name: "both-eras-running", go: then(tool("reports.run"), click("send-both"), found("both-cancel")) },
	{ name: "compose", go: click("tab-compose") },
	{
		name: "rebuilt",
		query: "rebuilt",
		go: then(found("restart-strip"), (page) => page.locator("[data-testid=restart-changes] summary").click()),
	},
	{
		name: "detail-search",
		go: then(
			row(13),
			(page) => page.locator("[data-testid=detail-body] .cm-content").focus(),
			press("Control+f"),
			(page) => page.locator("[data-testid=detail-body] .cm-search input[name=search]").fill("order"),
			press("Enter"),
		),
	},
	{ name: "detail-hex", go: then(row(10), press("2"), (page) => page.getByText("Hex").click()) },
	{ name: "chips", go: then(filter("-method:completion/* kind:request,result"), press("Enter"), row(13)) },
	{ name: "row-menu", go: (page) => cell(page, 9, "method").click({ button: "right" }) },
	{ name: "row-menu-key", go: then(row(13), press("Shift+F10")) },
	{ name: "columns", go: (page) => page.getByTestId("columns").click() },
	{ name: "hidden-pair", go: then(row(13), filter("kind:result")) },
	{ name: "no-match", go: filter("kind:error zzz") },
	{ name: "bad-filter", go: filter("colour:red") },
	{ name: "maximised", query: "rows=2000", go: then(server("fs-sandbox"), press("Shift+T")) },
	{ name: "shortcuts", go: press("?") },
	{
		name: "connect-stdio",
		go: then(
			click("add-server"),
			type("add-server-input", 'uv run inventory_mcp --title "EU stock"'),
			value("variable", "DATABASE_TOKEN", "postgres://ada@db/inv"),
			value("variable", "LOG_LEVEL", "debug"),
		),
	},
	{
		name: "connect-http",
		query: "nokeychain",
		go: then(
			click("add-server"),
			type("add-server-input", "https://mcp.crm.internal:8443/mcp"),
			value("header", "x-tenant", "acme-staging"),
			value("header", "authorization", "Bearer 0123456789"),
			type("server-timeout", "soon"),
		),
	},
	{ name: "connect-edit", go: then(server("fs-sandbox"), click("edit-server")) },
	{
		name: "doctor-running",
		query: "hang=start_doctor",
		go: then(click("add-server"), type("add-server-input", "uv run x"), click("doctor-run")),
	},
	{
		name: "connect-not-saved",
		query: "fail=save_server",
		go: then(
			click("add-server"),
			type("add-server-input", "uv run inventory_mcp"),
			click("add-server-save"),
			words("cannot use its data folder"),
		),
	},
	{ name: "doctor-passed", go: examined("uv run inventory_mcp", "passed") },
	{ name: "doctor-failed", go: examined("https://mcp.crm.internal:8443/401", "failed") },
	{ name: "sign-in", query: "signin", go: server("crm-remote") },
	{
		name: "sign-in-asks",
		query: "signin",
		go: then(server("crm-remote"), click("sign-in"), found("sign-in-consent")),
	},
	{
		name: "oauth",
		query: "signin",
		go: then(
			edited,
			click("sign-in-by-step"),
			click("sign-in-step"),
			click("sign-in-step"),
			click("sign-in-step"),
		),
	},
	{ name: "oauth-failed", query: "signin=fail", go: then(edited, signedIn, found("sign-in-fault")) },
	{ name: "oauth-done", query: "signin", go: then(edited, signedIn, found("token"), click("auth-settings")) },
	{ name: "connect-pasted", go: pasted },
	{ name: "consent", go: then(pasted, click("paste-add"), found("consent")) },
	{ name: "rail-collapsed", go: press("Control+b") },
	{ name: "rail-menu", go: (page) => page.getByTestId("server-row").nth(1).click({ button: "right" }) },
	{ name: "rail-delete", go: then(server("fs-sandbox"), press("Delete")) },
	{
		name: "sessions",
		query: "sessions=300&http",
		go: then(sessions, press("ArrowDown"), press("ArrowDown"), press("Space"), press("Shift+ArrowDown")),
	},
	{ name: "sessions-none", query: "empty", go: click("all-sessions") },
	{ name: "sessions-long", query: "scenario=long", go: sessions },
	{ name: "sessions-failed", query: "sessions=40&fail=list_sessions", go: click("all-sessions") },
	{
		name: "sessions-search-none",
		query: "sessions=40",
		go: then(sessions, type("session-query", "zzz"), press("Enter"), found("matches")),
	},
	{
		name: "sessions-search",
		query: "sessions=40&crash",
		go: then(sessions, type("session-query", "orders_mcp"), press("Enter"), found("hit")),
	},
	{
		name: "sessions-no-match",
		query: "sessions=40",
		go: then(sessions, type("session-query", "zzz tag:ci"), (page) =>
			page.getByText("No session matches").waitFor(),
		),
	},
	{
		name: "sessions-bad-query",
		query: "sessions=40",
		go: then(sessions, type("session-query", "colour:red"), found("query-problem")),
	},
	{
		name: "sessions-deleted",
		query: "sessions=40",
		go: then(sessions, press("End"), press("Delete"), found("undo"), press("r")),
	},
	{ name: "export", query: "scenario=secrets", go: exporting },
	{
		name: "export-bad-rule",
		query: "scenario=secrets",
		go: then(exporting, exportRule("value", "[a-z"), (page) =>
			page.locator("[data-testid=export-rule][data-problem]").waitFor(),
		),
	},
	{
		name: "export-passphrase",
		query: "scenario=secrets",
		go: then(exporting, passphrases("correct horse", "correct hoarse")),
	},
	{
		name: "export-done",
		query: "scenario=secrets",
		go: then(
			exporting,
			passphrases("correct horse", "correct horse"),
			click("export-run"),
			found("exported"),
		),
	},
	{
		name: "export-failed",
		query: "scenario=secrets&fail=export_session",
		go: then(exporting, click("export-run"), words("cannot use its data folder")),
	},
	{
		name: "export-several",
		query: "sessions=40&scenario=secrets",
		go: then(
			sessions,
			press("ArrowDown"),
			press("Space"),
			press("Shift+ArrowDown"),
			press("Shift+ArrowDown"),
			click("export-sessions"),
			found("export-dialog"),
		),
	},
	{
		name: "import-locked",
		query: "sessions=40&locked",
		go: then(
			sessions,
			click("import-sessions"),
			found("locked-file"),
			(page) => page.getByTestId("locked-passphrase").first().fill("wrong"),
			click("locked-open"),
			(page) => page.getByText("does not open it").waitFor(),
		),
	},
	{
		name: "settings",
		query: "sessions=40",
		go: then(click("settings"), type("retention-days", "1"), (page) =>
			page.getByText("Applying deletes").waitFor(),
		),
	},
	{
		name: "settings-failed",
		query: "fail=get_retention,open_data_folder",
		go: then(click("settings"), (page) => page.getByRole("button", { name: "Open folder" }).click()),
	},
	{
		name: "secrets-locked",
		query: "secretfile",
		go: then(click("settings"), type("unlock-passphrase", "wrong"), click("unlock-run"), (page) =>
			page.getByText("does not open the file").waitFor(),
		),
	},
	{
		name: "secrets-to-file",
		query: "nokeychain",
		go: then(
			click("settings"),
			choose("secret-store-file"),
			type("secret-store-passphrase", "correct horse"),
			type("secret-store-passphrase-again", "correct"),
		),
	},
	{
		name: "secrets-to-memory",
		query: "secretfile",
		go: then(click("settings"), choose("secret-store-memory")),
	},
	{
		name: "secrets-form",
		query: "secretfile",
		go: then(
			click("add-server"),
			type("add-server-input", "uv run inventory_mcp"),
			value("variable", "DATABASE_TOKEN", "postgres://ada@db/inv"),
		),
	},
	{ name: "secrets-needed", query: "secretfile&scenario=needs-secret", go: found("unlock-strip") },
	{
		name: "app-log",
		query: "applog=3000",
		go: then(click("settings"), click("open-app-log"), (page) =>
			page.locator("[data-testid=app-log-line][data-level=error]").click(),
		),
	},
	{
		name: "app-log-no-match",
		go: then(click("settings"), click("open-app-log"), type("app-log-filter", "zzz")),
	},
	{
		name: "app-log-failed",
		query: "fail=app_log",
		go: then(click("settings"), click("open-app-log")),
	},
	{
		name: "licences-none",
		go: then(click("settings"), click("open-about"), found("licence"), type("licence-search", "zzz")),
	},
	{ name: "about", go: then(click("settings"), click("open-about"), found("licence"), click("licence")) },
	{ name: "palette-none", go: then(press("Control+k"), type("palette-input", "zzzz")) },
	{
		name: "palette",
		go: then(press("Control+k"), type("palette-input", "or"), (page) =>
			page.getByText("Tools in orders-mcp").waitFor(),
		),
	},
];
