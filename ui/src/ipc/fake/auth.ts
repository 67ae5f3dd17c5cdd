/** Sign-ins of the made-up host: each step succeeds, and that in the browser waits to be finished by hand. */
import type { AuthDraft } from "../bindings/AuthDraft";
import type { AuthRow } from "../bindings/AuthRow";
import type { SignInRow } from "../bindings/SignInRow";
import type { SignInStep } from "../bindings/SignInStep";
import type { SignInStepKind } from "../bindings/SignInStepKind";
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

const TITLES: readonly [SignInStepKind, string][] = [
	["challenge", "The server's challenge"],
	["resource-metadata", "Protected resource metadata"],
	["server-metadata", "Authorization server metadata"],
	["client", "Client registration"],
	["authorize", "Authorization in the browser"],
	["token", "Token"],
];

const DRAFT: AuthDraft = {
	grant: "authorization-code",
	client_id: null,
	client_secret: { kind: "keep" },
	private_key: { kind: "keep" },
	key_alg: null,
	client_metadata_url: null,
	scopes: null,
	accept_resource: null,
	accept_private: false,
};

function blank([kind, title]: readonly [SignInStepKind, string]): SignInStep {
	return {
		kind,
		title,
		spec: "authorization",
		state: "pending",
		exchanges: [],
		checks: [],
		values: kind === "authorize" ? [{ name: "scope", value: "read", secret: false, edited: false }] : [],
		facts: [],
		error: null,
		consent: null,
		open_url: null,
	};
}

export class Auth {
	private last = 0;
	private readonly signIns = new Map<string, SignInRow>();
	private readonly drafts = new Map<string, AuthDraft>();
	private readonly signedIn = new Set<string>();

	constructor(private readonly host: Host) {}

	readonly commands: Area<Names> = {
		auth_status: ({ server }) => this.status(server),
		set_auth: ({ server, draft }) => {
			this.drafts.set(server, { ...draft, client_secret: { kind: "keep" }, private_key: { kind: "keep" } });
			return this.status(server);
		},
		sign_in: ({ server, byStep }) => {
			this.last += 1;
			const row: SignInRow = {
				id: this.last,
				server,
				state: "ready",
				by_step: byStep,
				session: "",
				steps: TITLES.map(blank),
				next: "challenge",
			};
			this.signIns.set(server, row);
			return byStep ? this.tell(row) : this.run(row, true);
		},
		sign_in_step: ({ id }) => this.run(this.find(id), false),
		sign_in_run: ({ id }) => this.run(this.find(id), true),
		sign_in_set_value: ({ id, step, name, value }) => {
			const row = this.restart(this.find(id), step);
			const values = row.steps.find(({ kind }) => kind === step)?.values ?? [];
			for (const known of values) if (known.name === name) Object.assign(known, { value, edited: true });
			return this.tell(row);
		},
		sign_in_restart_from: ({ id, step }) => this.tell(this.restart(this.find(id), step)),
		sign_in_consent: ({ id }) => this.run(this.find(id), true),
		sign_in_finish: ({ id }) => {
			const row = this.find(id);
			for (const step of row.steps) if (step.state === "waiting") Object.assign(step, { state: "done", open_url: null });
			return this.run(row, true);
		},
		cancel_sign_in: ({ id }) => this.tell({ ...this.find(id), state: "cancelled" }),
		refresh_token: ({ server }) => this.status(server),
		sign_out: ({ server }) => {
			this.signedIn.delete(server);
			this.host.emit("auth-changed", null);
			return this.status(server);
		},
	};

	private status(server: string): AuthRow {
		const token = this.signedIn.has(server);
		return {
			server,
			mechanism: token ? "o-auth" : "none",
			why: token ? "The token of the sign-in is sent." : "No Authorization is sent.",
			applies: true,
			token: token
				? {
						issuer: "https://as.example",
						client_id: "registered",
						resource: "https://mcp.example/mcp",
						scopes: ["read"],
						expires_us: null,
						refreshable: true,
						dpop: false,
						access: null,
						id: null,
					}
				: null,
			draft: this.drafts.get(server) ?? DRAFT,
			has_secret: false,
			has_key: false,
			sign_in: this.signIns.get(server) ?? null,
		};
	}

	private find(id: number): SignInRow {
		return must([...this.signIns.values()].find((row) => row.id === id));
	}

	private restart(row: SignInRow, from: SignInStepKind): SignInRow {
		const at = row.steps.findIndex(({ kind }) => kind === from);
		const steps = row.steps.map((step, i) => (i < at ? step : { ...step, state: "pending" as const, open_url: null }));
		return { ...row, state: "ready", steps };
	}

	/** Runs the next step, or on until the browser has to come back. */
	private run(row: SignInRow, on: boolean): SignInRow {
		for (const step of row.steps) {
			if (step.state === "done") continue;
			if (step.kind === "authorize") {
				Object.assign(step, { state: "waiting", open_url: "https://as.example/authorize?state=s" });
				return this.tell({ ...row, state: "waiting" });
			}
			step.state = "done";
			if (!on) break;
		}
		if (row.steps.some(({ state }) => state !== "done")) return this.tell({ ...row, state: "ready" });
		this.signedIn.add(row.server);
		this.host.emit("auth-changed", null);
		return this.tell({ ...row, state: "done" });
	}

	private tell(row: SignInRow): SignInRow {
		const next = row.steps.find(({ state }) => state !== "done")?.kind ?? null;
		const now = { ...row, next };
		this.signIns.set(row.server, now);
		this.host.emit("sign-in-changed", { sign_in: now });
		return now;
	}
}
