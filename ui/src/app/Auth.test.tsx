/** Signing in to a server: the card over the workspace, and the steps beside its form. */
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { AuthDraft, SignInRow } from "../ipc/auth";
import { FakeBackend } from "../ipc/fake";
import { AppStore } from "../model/appStore";
import { CallStore } from "../model/calls";
import { Settings } from "../model/settings";
import { App } from "./App";
import { TESTID } from "./testids";

let backend: FakeBackend;
let app: AppStore;
const words = (element: Element | null) => (element?.textContent ?? "").replaceAll("\u00a0", " ");
const the = (id: string) => screen.findByTestId(id);
const press = async (id: string) => fireEvent.click(await the(id));
const type = async (id: string, text: string) => fireEvent.change(await the(id), { target: { value: text } });
const stepRow = (kind: string) =>
	screen.getAllByTestId(TESTID.signInStepRow).find((row) => row.dataset.step === kind) as HTMLElement;
const states = () => screen.getAllByTestId(TESTID.signInStepRow).map((row) => row.dataset.state);
const BACK = "http://127.0.0.1:49152/callback?code=c0de&state=k3J9x0";

/** Opens the window at the server that needs a sign-in. */
async function open(query = "signin"): Promise<void> {
	backend = new FakeBackend(new URLSearchParams(query));
	app = new AppStore(backend);
	const settings = new Settings(backend);
	await settings.load();
	render(<App app={app} calls={new CallStore(backend)} settings={settings} />);
	await waitFor(() => expect(app.ready).toBe(true));
	const server = app.servers.find(({ name }) => name === "crm-remote");
	fireEvent.click(
		screen.getAllByTestId(TESTID.serverRow).find((row) => row.dataset.server === server?.id) as Element,
	);
}

/** Goes to its steps. */
async function edit(query?: string): Promise<void> {
	await open(query);
	await press(TESTID.editServer);
	await the(TESTID.auth);
}

it("says that a sign-in is needed, asks before it opens the browser, and connects once it is done", async () => {
	await open();
	const card = await the(TESTID.signInCard);
	expect(words(card)).toContain("crm-remote needs a sign-in. The server did not fail");
	await press(TESTID.signIn);
	const asks = await the(TESTID.signInConsent);
	expect(asks.dataset.kind).toBe("open-browser");
	expect(words(asks)).toContain("https://sso.acme.test/authorize?client_id=");
	expect(words(asks)).toContain("Comes back tohttp://127.0.0.1:49152/callback");
	await press(TESTID.signInAgree);
	await type(TESTID.signInBack, BACK);
	await press(TESTID.signInFinish);
	await waitFor(() => expect(app.session?.conn.state).not.toBe("failed"));
	expect(screen.queryByTestId(TESTID.signInCard)).toBeNull();
});

it("says who refused, and that the server did not fail; the sign-in can be tried again", async () => {
	await open("signin=fail");
	await press(TESTID.signIn);
	await press(TESTID.signInAgree);
	await type(TESTID.signInBack, BACK);
	await press(TESTID.signInFinish);
	const fault = await the(TESTID.signInFault);
	expect(words(fault)).toContain(
		"The authorization server is at fault. It refused the token request: invalid_target.",
	);
	expect(words(fault)).toContain("Next: Its list holds");
	expect((await the(TESTID.signInCard)).dataset.state).toBe("failed");
	expect(await the(TESTID.signIn)).toBeTruthy();
});

it("goes step by step, shows each exchange and check, and can be taken back", async () => {
	await edit();
	await press(TESTID.signInByStep);
	await waitFor(() => expect(states()).toEqual(Array(6).fill("pending")));
	await press(TESTID.signInStep);
	await waitFor(() => expect(states()[0]).toBe("done"));
	await press(TESTID.signInStep);
	await press(TESTID.signInStep);
	await waitFor(() => expect(states().slice(0, 4)).toEqual(["done", "done", "done", "pending"]));
	expect(words(stepRow("server-metadata"))).toContain("GET /.well-known/oauth-authorization-server → 200");
	expect(words(stepRow("server-metadata"))).toContain("1 of 2 checks fail");
	fireEvent.click(within(stepRow("server-metadata")).getAllByRole("button")[0] as Element);
	const checks = within(stepRow("server-metadata")).getAllByTestId(TESTID.signInCheck);
	expect(checks.map((check) => check.dataset.ok)).toEqual(["true", "false"]);
	expect(words(checks[1] ?? null)).toContain(
		"nothing found, expected authorization_response_iss_parameter_supported",
	);
	expect(words(checks[1] ?? null)).toContain("RFC 9207 §3");
	expect(words(stepRow("server-metadata"))).toContain('"code_challenge_methods_supported"');
	fireEvent.click(within(stepRow("server-metadata")).getByTestId(TESTID.signInRestart));
	await waitFor(() => expect(states().slice(0, 3)).toEqual(["done", "done", "pending"]));
});

it("lets a value be changed for this sign-in; secrets are masked, also while they are typed", async () => {
	await edit();
	await press(TESTID.signInByStep);
	await the(TESTID.signInStep);
	fireEvent.click(within(stepRow("client")).getAllByRole("button")[0] as Element);
	const value = (name: string) =>
		within(stepRow("client"))
			.getAllByTestId<HTMLInputElement>(TESTID.signInValue)
			.find((input) => input.dataset.name === name) as HTMLInputElement;
	expect(value("client_secret").type).toBe("password");
	fireEvent.change(value("client_secret"), { target: { value: "s3cret" } });
	fireEvent.click(within(stepRow("client")).getByRole("button", { name: "Set" }));
	await waitFor(() => expect(words(stepRow("client"))).toContain("edited"));
	expect(value("client_secret").value, "the host does not give it back").toBe("");
	fireEvent.change(value("client_id"), { target: { value: "mine" } });
	fireEvent.click(within(stepRow("client")).getByRole("button", { name: "Set" }));
	await waitFor(() => expect(value("client_id").value).toBe("mine"));
	const undo = () => within(stepRow("client")).queryAllByTestId(TESTID.signInUsual);
	expect(undo().map(({ dataset }) => dataset.name)).toEqual(["client_id", "client_secret"]);
	fireEvent.click(undo()[0] as Element);
	await waitFor(() => expect(undo().map(({ dataset }) => dataset.name)).toEqual(["client_secret"]));
});

it("ends where consent is declined or the user cancels", async () => {
	await edit();
	await press(TESTID.signIn);
	await press(TESTID.signInDecline);
	await waitFor(() => expect(words(stepRow("authorize"))).toContain("This is up to you."));
	await press(TESTID.signIn);
	await the(TESTID.signInConsent);
	await press(TESTID.signInCancel);
	await waitFor(() => expect(screen.getByTestId(TESTID.auth).dataset.state).toBe("cancelled"));
	expect(screen.queryAllByTestId(TESTID.signInRestart), "it takes nothing any more").toEqual([]);
});

it("shows the token's claims as not verified, renews it and signs out", async () => {
	await edit();
	await press(TESTID.signIn);
	await press(TESTID.signInAgree);
	await type(TESTID.signInBack, BACK);
	await press(TESTID.signInFinish);
	const token = await the(TESTID.token);
	expect(words(token)).toContain("Access token, decoded not verified");
	expect(words(token)).toContain('"sub": "ada"');
	expect(words(token)).toContain("Scopescrm.read crm.write");
	await press(TESTID.tokenRenew);
	await press(TESTID.signOut);
	await waitFor(() => expect(screen.queryByTestId(TESTID.token)).toBeNull());
	expect(words(await the(TESTID.authWhy))).toContain("nobody has signed in");
});

it("keeps the client and never shows its secret again", async () => {
	await edit();
	const kept: AuthDraft[] = [];
	const { call } = backend;
	backend.call = (name, args) => {
		if (name === "set_auth") kept.push((args as { draft: AuthDraft }).draft);
		return call.call(backend, name, args) as never;
	};
	const fold = await the(TESTID.authSettings);
	fireEvent.click(fold);
	const secret = (await screen.findByLabelText("Client secret")) as HTMLInputElement;
	expect(secret.type).toBe("password");
	fireEvent.change(screen.getByLabelText("Client id"), { target: { value: "crm-client" } });
	fireEvent.change(secret, { target: { value: "s3cret" } });
	await press(TESTID.authSave);
	await screen.findByText("Saved. Holds from the next sign-in on.");
	expect(kept).toMatchObject([
		{
			client_id: "crm-client",
			client_secret: { kind: "set", value: "s3cret" },
			private_key: { kind: "keep" },
		},
	]);
	expect(secret.value).toBe("");
});

it("an answer that events have overtaken takes nothing back", async () => {
	await edit();
	const { call } = backend;
	backend.call = (async (name: string, args: object) => {
		if (!name.startsWith("sign_in_")) return call.call(backend, name as never, args as never);
		const before = app.auth.signIn(app.server ?? "");
		await call.call(backend, name as never, args as never);
		return before;
	}) as never;
	await press(TESTID.signInByStep);
	await press(TESTID.signInStep);
	await waitFor(() => expect(states()[0]).toBe("done"));
	await press(TESTID.signInStep);
	await waitFor(() => expect(states().slice(0, 2)).toEqual(["done", "done"]));
});

it("takes what servers say as text alone", async () => {
	await edit();
	await press(TESTID.signInByStep);
	await the(TESTID.signInStep);
	const row = app.auth.signIn(app.server ?? "") as SignInRow;
	const markup = "<img src=x onerror=alert(1)>";
	backend.emit("sign-in-changed", {
		sign_in: {
			...row,
			state: "failed",
			steps: row.steps.map((step) => ({
				...step,
				title: markup,
				state: "failed" as const,
				facts: [{ name: markup, value: markup }],
				error: { party: "server" as const, message: markup, next: markup },
			})),
		},
	});
	await waitFor(() => expect(words(screen.getByTestId(TESTID.auth))).toContain(markup));
	expect(document.querySelector("img")).toBeNull();
});

it("the doctor of a server that asks for a sign-in offers it, and saves the server first", async () => {
	await open();
	await press(TESTID.addServer);
	await type(TESTID.addServerInput, "https://mcp.crm.internal:8443/401");
	await press(TESTID.doctorRun);
	const button = await the(TESTID.doctorSignIn);
	expect(words(button)).toBe("Save and sign in");
	fireEvent.click(button);
	await the(TESTID.signInConsent);
	expect(app.page).toBe("server");
	expect(app.servers.map((row) => row.target)).toContain("https://mcp.crm.internal:8443/401");
	expect(app.editing?.target).toBe("https://mcp.crm.internal:8443/401");
});
