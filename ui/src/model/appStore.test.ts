import { describe, expect, it } from "vitest";
import type { Backend, Commands, Events } from "../ipc/backend";
import type { ConnState } from "../ipc/bindings/ConnState";
import type { ServerRow } from "../ipc/bindings/ServerRow";
import type { SessionRow } from "../ipc/bindings/SessionRow";
import { AppStore } from "./appStore";

const session = (id: string, conn: ConnState, change: Partial<SessionRow> = {}) =>
	({ id, server_id: "s", started_us: 1, ended_us: null, elsewhere: false, conn, ...change }) as SessionRow;
const server = (change: Partial<ServerRow> = {}) =>
	({ id: "s", name: "orders", unconfirmed: false, session: null, ...change }) as ServerRow;

const connecting: ConnState = { state: "connecting", step: "" };
const connected: ConnState = { state: "connected", since_us: 2 };
const closed: ConnState = { state: "closed", outcome: "exit 3", crashed: true, at_us: 3 };

type Answers = { [K in keyof Commands]?: (args: Commands[K]["args"]) => unknown };

/** A store on a host that answers as told, and a way to tell it events. */
async function setUp(answers: Answers) {
	const listeners = new Map<string, (payload: never) => void>();
	const calls: string[] = [];
	const nothing: Answers = {
		list_servers: () => [server()],
		list_sessions: () => ({ rows: [], matching: 0, kept: 0, disk_bytes: 0, problem: null }),
		open_view: () => ({ view: 1, total: 0, log_total: 0, problem: null }),
		view_rows: () => [],
	};
	const backend: Backend = {
		call: async (name, args) => {
			calls.push(name);
			const answer = { ...nothing, ...answers }[name] as ((args: unknown) => unknown) | undefined;
			return (await answer?.(args)) as never;
		},
		listen: async (name, on) => {
			listeners.set(name, on as never);
			return () => undefined;
		},
	};
	const app = new AppStore(backend);
	await app.start();
	const tell = <K extends keyof Events>(name: K, payload: Events[K]) =>
		listeners.get(name)?.(payload as never);
	return { app, tell, calls };
}

describe("a session never goes back", () => {
	const cases: [what: string, told: ConnState[], answer: ConnState, expected: ConnState["state"]][] = [
		["the answer is newest", [], connecting, "connecting"],
		["it connected before the answer came", [connected], connecting, "connected"],
		["it ended before the answer came", [connected, closed], connecting, "closed"],
		["it ended, and is told to be connected", [closed, connected], connecting, "closed"],
		["it goes on", [connecting, connected, closed], closed, "closed"],
	];
	it.each(cases)("%s", async (_, told, answer, expected) => {
		const { app, tell } = await setUp({
			open_session: () => {
				for (const conn of told) tell("session-changed", session("a", conn));
				return session("a", answer);
			},
		});
		await app.connect("s");
		expect(app.session?.conn.state).toBe(expected);
		expect(app.serverRow?.session?.conn.state).toBe(expected);
	});

	it("nor by a list that was read before the event", async () => {
		let answer: (rows: ServerRow[]) => void = () => undefined;
		let lists = 0;
		const { app, tell } = await setUp({
			list_servers: () => {
				lists += 1;
				if (lists === 1) return [server({ session: session("a", connecting) })];
				return new Promise((resolve) => {
					answer = resolve;
				});
			},
		});
		const reading = app.readServers();
		tell("session-changed", session("a", closed));
		answer([server({ session: session("a", connecting) })]);
		await reading;
		expect(app.serverRow?.session?.conn.state).toBe("closed");
	});

	it("nor is it lost by lists that were asked for before it began and answered after", async () => {
		const late: (() => void)[] = [];
		let started = false;
		let begun = false;
		const answer = <T>(rows: () => T) =>
			new Promise<T>((resolve) => {
				const before = rows();
				late.push(() => resolve(before));
			});
		const { app, tell } = await setUp({
			list_servers: () => {
				const rows = () => [server({ session: begun ? session("a", connecting) : null })];
				return started && late.length < 2 ? answer(rows) : rows();
			},
			list_sessions: () => {
				const rows = () => ({ rows: begun ? [session("a", connecting)] : [], kept: Number(begun) });
				return started && late.length < 2 ? answer(rows) : rows();
			},
			open_session: () => {
				begun = true;
				return session("a", connecting);
			},
		});
		started = true;
		tell("servers-changed", null);
		tell("sessions-changed", null);
		await app.connect("s");
		tell("session-changed", session("a", connected));
		for (const now of late) now();
		await new Promise((resolve) => setTimeout(resolve));
		expect(app.session?.conn.state).toBe("connected");
		expect(app.serverRow?.session?.conn.state).toBe("connected");
		expect(app.kept).toBe(1);
	});

	it("but takes what is new in the same state", async () => {
		const { app, tell } = await setUp({ open_session: () => session("a", connected) });
		await app.connect("s");
		tell("session-changed", session("a", connected, { records: 7 }));
		expect(app.session?.records).toBe(7);
	});
});

describe("a pasted server", () => {
	it("is not started, but asked for", async () => {
		const { app, calls } = await setUp({ list_servers: () => [server({ unconfirmed: true })] });
		expect(await app.connect("s")).toBeNull();
		expect(app.consent).toBe("s");
		expect(calls).not.toContain("open_session");
	});

	it("is asked for where only the host knows that it was pasted", async () => {
		let unconfirmed = false;
		const { app } = await setUp({
			list_servers: () => [server({ unconfirmed })],
			open_session: () => {
				unconfirmed = true;
				throw { code: "needs_consent", message: "" };
			},
		});
		expect(await app.connect("s")).toBeNull();
		expect(app.consent).toBe("s");
		expect(app.problem).toBeNull();
	});

	it("is started once it was confirmed", async () => {
		let unconfirmed = true;
		const { app } = await setUp({
			list_servers: () => [server({ unconfirmed })],
			confirm_server: () => {
				unconfirmed = false;
				return server();
			},
			open_session: () => session("a", connecting),
		});
		expect((await app.confirm("s"))?.id).toBe("a");
		expect(app.consent).toBeNull();
	});
});

it("opens a session that is not among the newest, at a record", async () => {
	const { app, calls } = await setUp({
		get_session: () => session("old", closed, { server_id: null }),
		get_record: () => ({ seq: 41 }),
		view_index: () => 40,
	});
	await app.showSession("old", 41);
	expect(app.session?.id).toBe("old");
	expect(app.open?.selected?.row.seq).toBe(41);
	expect(app.open?.follow).toBe(false);
	expect(calls).toContain("get_session");
});

it("counts the sessions that are kept", async () => {
	const { app, tell } = await setUp({
		list_sessions: () => ({ rows: [session("a", closed, { started_us: 5 })], kept: 248 }),
	});
	tell("session-changed", session("b", connected, { started_us: 6 }));
	tell("session-changed", session("b", connected, { started_us: 6 }));
	tell("session-changed", session("older", closed, { started_us: 1 }));
	expect(app.kept).toBe(249);
});
