import { describe, expect, it } from "vitest";
import type { Backend } from "../ipc/backend";
import type { DoctorReport } from "../ipc/bindings/DoctorReport";
import type { ServerDraft } from "../ipc/bindings/ServerDraft";
import { DoctorStore } from "./doctor";

const DRAFT: ServerDraft = {
	id: "s1",
	name: "x",
	target: { transport: "stdio", command_line: "run", env: [], cwd: "" },
	era: "auto",
	timeout_ms: 1,
	reconnect: false,
	ca: "",
	watch: [],
	total_ms: null,
	start_ms: null,
	grace_ms: null,
	unconfirmed: false,
};

const report = (outcome: DoctorReport["outcome"]): DoctorReport => ({
	outcome,
	headline: outcome,
	steps: [],
	fault: null,
	facts: [],
	session: null,
	text: "",
});

function host(start: () => Promise<number>) {
	const stopped: number[] = [];
	const call = (name: string, args: { run?: number }) => {
		if (name === "start_doctor") return start();
		stopped.push(args.run ?? -1);
		return Promise.resolve(null);
	};
	return { stopped, store: new DoctorStore({ call } as unknown as Backend) };
}

describe("the doctor", () => {
	it("takes events that overtake its number, and none of another examination", async () => {
		let tell = (_: number) => {};
		const { store } = host(() => new Promise((resolve) => (tell = resolve)));
		const begun = store.start(DRAFT);
		store.take({ run: 7, report: report("failed") });
		store.take({ run: 6, report: report("cancelled") });
		expect(store.report).toBeNull();
		tell(7);
		await begun;
		expect(store.report?.outcome).toBe("failed");
		expect(store.running).toBe(false);
		store.take({ run: 6, report: report("cancelled") });
		expect(store.report?.outcome).toBe("failed");
	});

	it("is stopped by its number, and says why it could not begin", async () => {
		const { store, stopped } = host(() => Promise.resolve(3));
		await store.start(DRAFT);
		store.take({ run: 3, report: report("running") });
		await store.stop();
		expect(stopped).toEqual([3]);
		store.take({ run: 3, report: report("cancelled") });
		await store.stop();
		expect(stopped, "what has ended is not stopped").toEqual([3]);

		const refused = host(() => Promise.reject({ code: "invalid_config", message: "no command" }));
		await refused.store.start(DRAFT);
		expect(refused.store.failure).toContain("no command");
		expect(refused.store.running).toBe(false);
	});
});
