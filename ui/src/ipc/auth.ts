/** Signing in to servers over HTTP: what the host says of it. */

/** Which mechanism authorizes requests to a server, and the token that is kept for it. */
export interface AuthRow {
	server: string;
	mechanism: "none" | "header" | "o-auth";
	/** Which mechanism wins and why, in one sentence. */
	why: string;
	/** False over stdio. */
	applies: boolean;
	token: TokenRow | null;
	draft: AuthDraft;
	has_secret: boolean;
	has_key: boolean;
	/** The one that runs, or the last one. */
	sign_in: SignInRow | null;
	kept: "keychain" | "memory" | "missing";
}

/** A token as far as it may be shown. */
export interface TokenRow {
	issuer: string;
	client_id: string;
	resource: string | null;
	scopes: string[];
	/** Microseconds since the epoch. */
	expires_us: number | null;
	refreshable: boolean;
	token_type: "Bearer" | "DPoP";
	/** Null where the token is opaque. */
	access: ClaimsRow | null;
	id: ClaimsRow | null;
}

/** Header and claims of a JWT, as JSON text. */
export interface ClaimsRow {
	header: string;
	claims: string;
	/** That they are not verified. */
	note: string;
}

/** A secret: kept as it is, given anew, or taken away. */
export type SecretDraft = { kind: "keep" } | { kind: "set"; value: string } | { kind: "none" };

/** How a server is signed in to. */
export interface AuthDraft {
	client_id: string | null;
	client_secret: SecretDraft;
	/** PEM, for `private_key_jwt`. */
	private_key: SecretDraft;
	key_alg: string | null;
	client_metadata_url: string | null;
	/** Instead of those asked for; separated by spaces. */
	scopes: string | null;
	grant: "authorization-code" | "client-credentials";
	accept_resource: string | null;
	accept_private: boolean;
}

export type StepKind =
	| "challenge"
	| "resource-metadata"
	| "server-metadata"
	| "client"
	| "authorize"
	| "id-assertion"
	| "token";

/** A sign-in as far as it has come. */
export interface SignInRow {
	id: number;
	server: string;
	state: "ready" | "running" | "waiting" | "done" | "failed" | "cancelled";
	by_step: boolean;
	/** The recorded session that holds its exchanges. */
	session: string | null;
	steps: StepRow[];
	next: StepKind | null;
}

export interface StepRow {
	kind: StepKind;
	title: string;
	/** Where the specification says it. */
	spec: string;
	state: "pending" | "running" | "done" | "failed" | "waiting";
	exchanges: AuthExchange[];
	checks: AuthCheck[];
	values: AuthValue[];
	facts: { name: string; value: string }[];
	error: StepErrorRow | null;
	consent: ConsentRow | null;
	/** What the browser was given. */
	open_url: string | null;
}

/** A request and its answer; secrets are masked. */
export interface AuthExchange {
	seq: number | null;
	method: string;
	url: string;
	request_headers: [string, string][];
	request_body: string | null;
	status: number | null;
	response_headers: [string, string][];
	response_body: string | null;
	/** Why there is no answer. */
	problem: string | null;
}

export interface AuthCheck {
	what: string;
	ok: boolean;
	found: string | null;
	expected: string | null;
	spec: string;
	/** It fails and the sign-in goes on all the same. */
	warning: boolean;
}

/** A value that can be changed before the step runs; of a secret it is empty. */
export interface AuthValue {
	name: string;
	label: string;
	value: string;
	secret: boolean;
	edited: boolean;
}

export interface StepErrorRow {
	party: "server" | "authorization-server" | "this-app" | "user" | "network";
	message: string;
	next: string;
}

/** A question that only the user can answer. */
export interface ConsentRow {
	kind: "private-address" | "resource-mismatch" | "open-browser";
	message: string;
	theirs: string;
	ours: string;
}

/** `sign_in_…` answer the sign-in as it stands then. */
interface OfSignIn<Args = unknown> {
	args: { id: number } & Args;
	answer: SignInRow;
}

declare module "./backend" {
	interface Commands {
		auth_status: { args: { server: string }; answer: AuthRow };
		set_auth: { args: { server: string; draft: AuthDraft }; answer: AuthRow };
		sign_in: {
			args: { server: string; session: string | null; by_step: boolean };
			answer: SignInRow;
		};
		sign_in_step: OfSignIn;
		sign_in_run: OfSignIn;
		sign_in_set_value: OfSignIn<{ step: StepKind; name: string; value: string }>;
		sign_in_restart_from: OfSignIn<{ step: StepKind }>;
		sign_in_consent: OfSignIn<{ agree: boolean }>;
		sign_in_finish: OfSignIn<{ url: string }>;
		cancel_sign_in: OfSignIn;
		refresh_token: { args: { server: string }; answer: AuthRow };
		sign_out: { args: { server: string }; answer: AuthRow };
	}
	interface Events {
		"sign-in-changed": { sign_in: SignInRow };
		"auth-changed": { server: string };
	}
}
