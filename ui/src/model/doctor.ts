/** The connection doctor: what it tells of a server as typed, step by step. */
import type { Backend } from "../ipc/backend";
import type { DoctorChanged } from "../ipc/bindings/DoctorChanged";
import type { DoctorReport } from "../ipc/bindings/DoctorReport";
import type { ServerDraft } from "../ipc/bindings/ServerDraft";
import { words } from "./errors";
import { Observable } from "./observable";

export class DoctorStore extends Observable {
	/** The server that was examined last: its id, or null for a new one; undefined where none was. */
	of: string | null | undefined = undefined;
	/** As it stands; null before the host has told. */
	report: DoctorReport | null = null;
	/** Why it could not begin, in words. */
	failure: string | null = null;
	/** It was started, and has not ended. */
	running = false;
	private run: number | null = null;
	private turn = 0;
	/** Events may overtake the answer that tells the number. */
	private early: DoctorChanged[] = [];

	constructor(private readonly backend: Backend) {
		super();
	}

	/** Examines a server as typed; another examination ends. */
	async start(draft: ServerDraft): Promise<void> {
		this.turn += 1;
		const { turn } = this;
		Object.assign(this, { of: draft.id ?? null, report: null, failure: null, running: true, run: null });
		this.early = [];
		this.changed();
		try {
			const run = await this.backend.call("start_doctor", { draft });
			if (turn !== this.turn) return;
			this.run = run;
			for (const event of this.early.splice(0)) this.take(event);
		} catch (error) {
			if (turn !== this.turn) return;
			this.running = false;
			this.failure = words(error);
			this.changed();
		}
	}

	/** Ends it; what was found stays. */
	async stop(): Promise<void> {
		if (!this.running || this.run === null) return;
		await this.backend.call("stop_doctor", { run: this.run }).catch(() => undefined);
	}

	/** Takes an event in. */
	take(event: DoctorChanged): void {
		if (this.running && this.run === null) this.early.push(event);
		if (event.run !== this.run) return;
		this.report = event.report;
		this.running = event.report.outcome === "running";
		this.changed();
	}

	/** Puts the report away. */
	close(): void {
		void this.stop();
		this.turn += 1;
		Object.assign(this, { of: undefined, report: null, failure: null, running: false, run: null });
		this.changed();
	}
}
