/** Signing in: a flow of six steps that waits for consent and for the browser; `signin=fail` lets its last step fail. */
import type { AuthDraft, AuthExchange, AuthRow, SignInRow, StepKind, StepRow, TokenRow } from "../auth";
import { type Area, type Host, must } from "./host";

type Names =
	| "auth_status"
	| "set_auth"
	| "sign_in"
	| "sign_in_step"
	| "sign_in_run"
	| "sign_in_set_value"
	| "sign_in_restart_from"
	| "sign_in_consent"
	| "sign_in_finish"
	| "cancel_sign_in"
	| "refresh_token"
	| "sign_out";

const MCP = "https://mcp.crm.internal:8443";
const SSO = "https://sso.acme.test";
const BACK = "http://127.0.0.1:49152/callback";

const exchange = (
	method: string,
	url: string,
	answer: string,
	change: Partial<AuthExchange> = {},
): AuthExchange => ({
	seq: null,
	method,
	url,
	request_headers: [["accept", "application/json"]],
	request_body: null,
	status: 200,
	response_headers: [["content-type", "application/json"]],
	response_body: answer,
	problem: null,
	...change,
});

const step = (kind: StepKind, title: string, spec: string, change: Partial<StepRow>): StepRow => ({
	kind,
	title,
	spec,
	state: "pending",
	exchanges: [],
	checks: [],
	values: [],
	facts: [],
	error: null,
	consent: null,
	open_url: null,
	...change,
});

const check = (what: string, spec: string) => ({
	what,
	ok: true,
	found: null,
	expected: null,
	spec,
	warning: false,
});
const value = (name: string, label: string, text: string, secret = false) => ({
	name,
	label,
	value: text,
	secret,
	edited: false,
});

/** What each step comes to. */
const DONE: StepRow[] = [
	step("challenge", "Challenge", "basic/authorization › Access Token Usage", {
		facts: [{ name: "scope", value: "crm.read crm.write" }],
		checks: [check("The challenge names a metadata URL", "RFC 9728 §5.1")],
		exchanges: [
			exchange("POST", `${MCP}/mcp`, "", {
				status: 401,
				response_body: null,
				response_headers: [
					["www-authenticate", `Bearer resource_metadata="${MCP}/.well-known/oauth-protected-resource/mcp"`],
				],
			}),
		],
	}),
	step(
		"resource-metadata",
		"Resource metadata",
		"basic/authorization › Authorization Server Location; RFC 9728 §3",
		{
			facts: [{ name: "authorization server", value: SSO }],
			checks: [check("`resource` is the server’s URL", "RFC 9728 §3.3")],
			values: [
				value("resource_metadata_url", "Metadata URL", `${MCP}/.well-known/oauth-protected-resource/mcp`),
			],
			exchanges: [
				exchange(
					"GET",
					`${MCP}/.well-known/oauth-protected-resource/mcp`,
					`{"resource":"${MCP}/mcp","authorization_servers":["${SSO}"]}`,
				),
			],
		},
	),
	step(
		"server-metadata",
		"Server metadata",
		"basic/authorization › Authorization Server Metadata; RFC 8414 §3",
		{
			facts: [{ name: "token endpoint", value: `${SSO}/token` }],
			checks: [
				check("`issuer` is the URL that was asked for", "RFC 8414 §3.3"),
				{
					...check("It says that it sends `iss` back", "RFC 9207 §3"),
					ok: false,
					found: null,
					expected: "authorization_response_iss_parameter_supported: true",
					warning: true,
				},
			],
			values: [value("issuer", "Issuer", SSO)],
			exchanges: [
				exchange(
					"GET",
					`${SSO}/.well-known/oauth-authorization-server`,
					`{"issuer":"${SSO}","token_endpoint":"${SSO}/token","code_challenge_methods_supported":["S256"]}`,
				),
			],
		},
	),
	step("client", "Client", "basic/authorization › Client Registration Approaches", {
		facts: [{ name: "client", value: "metadata document, no registration" }],
		values: [
			value("client_id", "Client id", "https://framescope.dev/client.json"),
			value("client_secret", "Client secret", "", true),
		],
	}),
	step("authorize", "Sign-in", "OAuth 2.1 §4.1.1; RFC 7636 (PKCE S256)", {
		checks: [
			check("`state` came back as it was sent", "OAuth 2.1 §4.1.2"),
			check("`iss` is the issuer", "RFC 9207 §2.4"),
		],
		values: [
			value("scope", "Scope", "crm.read crm.write"),
			value("resource", "Resource", `${MCP}/mcp`),
			value("state", "State", "k3J9x0"),
		],
		exchanges: [
			exchange("GET", `${BACK}?code=‹masked›&state=k3J9x0`, "", {
				response_body: null,
				response_headers: [],
			}),
		],
	}),
	step("token", "Token", "OAuth 2.1 §4.1.3; RFC 8707 §2", {
		facts: [{ name: "granted scopes", value: "crm.read crm.write" }],
		checks: [check("The token is a Bearer token", "RFC 6750 §4")],
		values: [
			value("code", "Code", "", true),
			value("code_verifier", "Code verifier", "", true),
			value("resource", "Resource", `${MCP}/mcp`),
		],
		exchanges: [
			exchange(
				"POST",
				`${SSO}/token`,
				'{"access_token":"‹masked›","token_type":"Bearer","expires_in":3600}',
				{
					request_body: `grant_type=authorization_code&code=‹masked›&code_verifier=‹masked›&resource=${MCP}/mcp`,
				},
			),
		],
	}),
];

const REFUSED: Partial<StepRow> = {
	state: "failed",
	facts: [],
	checks: [],
	exchanges: [
		exchange("POST", `${SSO}/token`, '{"error":"invalid_target"}', {
			status: 400,
			request_body: `grant_type=authorization_code&code=‹masked›&code_verifier=‹masked›&resource=${MCP}/mcp`,
		}),
	],
	error: {
		party: "authorization-server",
		message:
			"It refused the token request: invalid_target. The MCP server did not fail: it answered 401 as it should.",
		next: `Its list holds https://mcp.crm.internal/mcp, without the port: change the resource of this step, or its list.`,
	},
};

const JWT = {
	header: '{"alg":"ES256","typ":"at+jwt"}',
	claims: `{"iss":"${SSO}","aud":"${MCP}/mcp","sub":"ada","scope":"crm.read crm.write","exp":1796050800}`,
	note: "not verified: this app has read it and has not checked its signature; the MCP server has to.",
};

export class Auth {
	private readonly signIns = new Map<string, SignInRow>();
	private readonly drafts = new Map<string, AuthDraft>();
	private readonly tokens = new Map<string, TokenRow>();

	constructor(
		private readonly host: Host,
		private readonly fails: boolean,
	) {}

	readonly commands: Area<Names> = {
		auth_status: ({ server }) => this.status(server),
		set_auth: ({ server, draft }) => {
			const kept = { kind: "keep" } as const;
			this.drafts.set(server, { ...draft, client_secret: kept, private_key: kept });
			return this.status(server);
		},
		sign_in: ({ server, by_step }) => {
			const steps = DONE.map((one) => pending(one));
			const row: SignInRow = {
				id: this.host.next(),
				server,
				state: "ready",
				by_step,
				session: null,
				steps,
				next: "challenge",
			};
			this.put(row);
			if (!by_step) setTimeout(() => this.run(row.id), 20);
			return row;
		},
		sign_in_step: ({ id }) => this.step(this.row(id)),
		sign_in_run: ({ id }) => this.run(id),
		sign_in_set_value: ({ id, step: kind, name, value: text }) => {
			const row = this.back(this.row(id), kind);
			const steps = row.steps.map((one) =>
				one.kind === kind
					? {
							...one,
							values: one.values.map((old) =>
								old.name === name
									? { ...old, value: old.secret ? "" : (text ?? old.value), edited: text !== null }
									: old,
							),
						}
					: one,
			);
			return this.put({ ...row, steps });
		},
		sign_in_restart_from: ({ id, step: kind }) => this.put(this.back(this.row(id), kind)),
		sign_in_consent: ({ id, agree }) => {
			const row = this.row(id);
			if (agree)
				return this.change(
					row,
					"authorize",
					{ consent: null, open_url: `${SSO}/authorize?state=k3J9x0` },
					"waiting",
				);
			const error = {
				party: "user" as const,
				message: "You did not agree to open the browser.",
				next: "Run the step again to be asked again.",
			};
			return this.change(row, "authorize", { state: "failed", consent: null, error }, "failed");
		},
		sign_in_finish: ({ id }) => {
			const row = this.row(id);
			const done = this.put({
				...this.change(row, "authorize", finished("authorize"), "ready"),
				next: "token",
			});
			return done.by_step ? done : this.run(id);
		},
		cancel_sign_in: ({ id }) => this.put({ ...this.row(id), state: "cancelled", next: null }),
		refresh_token: ({ server }) => {
			this.give(server);
			return this.status(server);
		},
		sign_out: ({ server }) => {
			this.tokens.delete(server);
			this.host.emit("auth-changed", { server });
			return this.status(server);
		},
	};

	private status(server: string): AuthRow {
		const token = this.tokens.get(server) ?? null;
		const { headers, transport } = this.host.server(server);
		const header = headers.some(({ name }) => name.toLowerCase() === "authorization");
		return {
			server,
			mechanism: header ? "header" : token ? "o-auth" : "none",
			why: header
				? "The Authorization header in this server’s configuration is sent; an OAuth token is not used."
				: token
					? "The OAuth token is sent: nothing else is configured."
					: "Nothing is sent: no header is configured, and nobody has signed in.",
			applies: transport !== "stdio",
			token,
			draft: this.drafts.get(server) ?? DRAFT,
			has_secret: false,
			has_key: false,
			sign_in: this.signIns.get(server) ?? null,
			kept: "keychain",
		};
	}

	private row(id: number): SignInRow {
		return must([...this.signIns.values()].find((one) => one.id === id));
	}

	private put(row: SignInRow): SignInRow {
		this.signIns.set(row.server, row);
		this.host.emit("sign-in-changed", { sign_in: row });
		return row;
	}

	private run(id: number): SignInRow {
		let row = this.row(id);
		for (let n = 0; n < DONE.length && row.next !== null && row.state !== "waiting"; n += 1) {
			row = this.step(row);
			if (row.state === "failed") break;
		}
		return row;
	}

	private step(row: SignInRow): SignInRow {
		const kind = row.next;
		if (kind === null) return row;
		if (kind === "authorize") {
			const consent = {
				kind: "open-browser" as const,
				message: "The sign-in page of the authorization server is to be opened.",
				theirs: `${SSO}/authorize?client_id=https%3A%2F%2Fframescope.dev%2Fclient.json&scope=crm.read%20crm.write`,
				ours: BACK,
			};
			return this.change(row, kind, { state: "waiting", consent, error: null }, "waiting");
		}
		if (kind === "token" && this.fails) return this.change(row, kind, REFUSED, "failed");
		const at = row.steps.findIndex((one) => one.kind === kind);
		const next = row.steps[at + 1]?.kind ?? null;
		if (next === null) this.give(row.server);
		return this.put({ ...this.change(row, kind, finished(kind), next === null ? "done" : "ready"), next });
	}

	private change(
		row: SignInRow,
		kind: StepKind,
		change: Partial<StepRow>,
		state: SignInRow["state"],
	): SignInRow {
		const steps = row.steps.map((one) =>
			one.kind === kind ? { ...one, ...change, values: one.values } : one,
		);
		return this.put({ ...row, steps, state });
	}

	/** Takes a step and all after it back. */
	private back(row: SignInRow, kind: StepKind): SignInRow {
		const from = row.steps.findIndex((one) => one.kind === kind);
		const steps = row.steps.map((one, i) => (i < from ? one : { ...pending(one), values: one.values }));
		return { ...row, steps, state: "ready", next: kind };
	}

	private give(server: string): void {
		this.tokens.set(server, {
			issuer: SSO,
			client_id: "https://framescope.dev/client.json",
			resource: `${MCP}/mcp`,
			scopes: ["crm.read", "crm.write"],
			expires_us: (Date.now() + 3600e3) * 1000,
			refreshable: true,
			token_type: "Bearer",
			access: JWT,
			id: null,
		});
		this.host.emit("auth-changed", { server });
	}
}

const DRAFT: AuthDraft = {
	client_id: null,
	client_secret: { kind: "keep" },
	private_key: { kind: "keep" },
	key_alg: null,
	client_metadata_url: null,
	scopes: null,
	grant: "authorization-code",
	accept_resource: null,
	accept_private: false,
};

function pending(one: StepRow): StepRow {
	return {
		...one,
		state: "pending",
		exchanges: [],
		checks: [],
		facts: [],
		error: null,
		consent: null,
		open_url: null,
	};
}

function finished(kind: StepKind): Partial<StepRow> {
	return {
		...DONE.find((one) => one.kind === kind),
		state: "done",
		consent: null,
		open_url: null,
		error: null,
	};
}
