/** Signing in to servers: how each is authorized, and the sign-in that runs. */
import type { AuthDraft, AuthRow, SignInRow, StepErrorRow, StepKind, StepRow } from "../ipc/auth";
import type { Backend, Commands } from "../ipc/backend";
import type { ConnState } from "../ipc/bindings/ConnState";
import { words } from "./errors";
import { Observable } from "./observable";

/** Commands that take a sign-in a bit further. */
type Act =
	| "sign_in_step"
	| "sign_in_run"
	| "sign_in_set_value"
	| "sign_in_restart_from"
	| "sign_in_consent"
	| "sign_in_finish"
	| "cancel_sign_in";

/** Codes of a connection that failed since nobody is signed in. */
const SIGN_IN: readonly string[] = ["auth_required", "needs_sign_in"];

/** Whether a connection failed since nobody is signed in. */
export function needsSignIn(conn: ConnState | undefined): boolean {
	return conn?.state === "failed" && SIGN_IN.includes(conn.code);
}

export class AuthStore extends Observable {
	private readonly rows = new Map<string, AuthRow>();
	private readonly signIns = new Map<string, SignInRow>();
	private readonly problems = new Map<string, string>();

	constructor(
		private readonly backend: Backend,
		/** Somebody has signed in to a server. */
		private readonly onDone: (server: string) => void,
	) {
		super();
		void this.backend.listen("sign-in-changed", ({ sign_in }) => this.told(sign_in));
		void this.backend.listen("auth-changed", ({ server }) => void this.read(server));
	}

	/** How a server is authorized; null while that is not known, or where the host does not say. */
	of(server: string): AuthRow | null {
		return this.rows.get(server) ?? null;
	}

	/** The sign-in of a server that runs, or its last one. */
	signIn(server: string): SignInRow | null {
		return this.signIns.get(server) ?? this.of(server)?.sign_in ?? null;
	}

	/** What this app could not do last for a server. */
	problem(server: string): string | null {
		return this.problems.get(server) ?? null;
	}

	async read(server: string): Promise<void> {
		// A server that was deleted meanwhile has none.
		const row = await this.backend.call("auth_status", { server }).catch(() => null);
		if (!row) return;
		this.rows.set(server, row);
		if (row.sign_in) this.take(row.sign_in);
		this.changed();
	}

	/** Begins a sign-in; one that runs for the server ends. */
	async begin(server: string, session: string | null, byStep: boolean): Promise<void> {
		await this.attempt(server, async () =>
			this.take(await this.backend.call("sign_in", { server, session, by_step: byStep })),
		);
	}

	/** Takes the sign-in of a server further. */
	async act<K extends Act>(server: string, name: K, args: Omit<Commands[K]["args"], "id">): Promise<void> {
		const id = this.signIn(server)?.id;
		if (id === undefined) return;
		await this.attempt(server, async () => {
			// How it then stands comes as an event.
			await this.backend.call(name, { ...args, id } as Commands[K]["args"]);
		});
	}

	/** Asks for new tokens, or forgets those that are kept. */
	async renew(server: string, how: "refresh_token" | "sign_out"): Promise<void> {
		await this.attempt(server, () => this.backend.call(how, { server }));
		await this.read(server);
	}

	/** Keeps how a server is signed in to. False where that failed. */
	async save(server: string, draft: AuthDraft): Promise<boolean> {
		return this.attempt(server, async () => {
			this.rows.set(server, await this.backend.call("set_auth", { server, draft }));
		});
	}

	/** Takes an answer: it may be overtaken by events that tell more, and then tells nothing. */
	private take(row: SignInRow): void {
		const known = this.signIns.get(row.server);
		if (known && known.id >= row.id) return;
		this.told(row);
	}

	private told(row: SignInRow): void {
		const old = this.signIns.get(row.server);
		// Nor does an older sign-in.
		if (old && old.id > row.id) return;
		this.signIns.set(row.server, row);
		this.changed();
		if (row.state === "done" && old?.id === row.id && old.state !== "done") this.onDone(row.server);
	}

	private async attempt(server: string, act: () => Promise<unknown>): Promise<boolean> {
		try {
			await act();
			this.problems.delete(server);
			return true;
		} catch (error) {
			this.problems.set(server, words(error));
			return false;
		} finally {
			this.changed();
		}
	}
}

/** Whether a sign-in can still come to something. */
export function isOpen({ state }: SignInRow): boolean {
	return state === "ready" || state === "running" || state === "waiting";
}

/** Whether a sign-in takes nothing any more: what comes next is another one. */
export function isOver({ state }: SignInRow): boolean {
	return state === "done" || state === "cancelled";
}

/** The step to look at: what waits or failed, what comes next, else the last one. */
export function stepOf({ steps, next }: SignInRow): StepKind | null {
	const here = steps.find(({ state }) => state === "waiting" || state === "failed" || state === "running");
	return here?.kind ?? next ?? steps.at(-1)?.kind ?? null;
}

const PARTIES: Record<StepErrorRow["party"], string> = {
	server: "The MCP server is at fault.",
	"authorization-server": "The authorization server is at fault.",
	"this-app": "This app is at fault.",
	user: "This is up to you.",
	network: "The network is at fault.",
};

/** Who is at fault, as a sentence. */
export function partyWords(party: StepErrorRow["party"]): string {
	return PARTIES[party];
}

/** What a step has come to, in a few words. */
export function stepWords(step: StepRow): string {
	if (step.state === "pending") return "not run";
	if (step.state === "running") return "running";
	if (step.state === "waiting") return step.consent ? "asks you" : "waits for the browser";
	const last = step.exchanges.at(-1);
	const status = last?.status == null ? null : `${last.method} ${path(last.url)} → ${last.status}`;
	const bad = step.checks.filter(({ ok }) => !ok).length;
	const checks = bad === 0 ? "" : ` · ${bad} of ${step.checks.length} checks fail`;
	return `${status ?? step.facts[0]?.value ?? (step.state === "failed" ? "failed" : "done")}${checks}`;
}

function path(url: string): string {
	const rest = /^[a-z]+:\/\/[^/]*(\/[^?#]*)?/i.exec(url)?.[1];
	return rest ?? "/";
}
