/** The connection doctor: passes, or stops where the target asks for it (`refused`, `missing`, `401` in it). */
import type { DoctorFault } from "../bindings/DoctorFault";
import type { DoctorReport } from "../bindings/DoctorReport";
import type { DoctorStep } from "../bindings/DoctorStep";
import type { ServerDraft } from "../bindings/ServerDraft";
import type { Area, Host } from "./host";

/** Milliseconds between two steps. */
const PACE = 30;

type Passed = [label: string, fact: string, us: number];

const STDIO: Passed[] = [
	["Find executable", "/usr/local/bin/uv", 354],
	["Start process", "pid 48213", 11_900],
	["First byte", "on stderr: Starting inventory_mcp", 184_000],
	["server/discover", "error -32601 Method not found", 6_650],
	["initialize", "2025-11-25, inventory 1.4.0", 9_020],
];

const HTTP: Passed[] = [
	["DNS", "mcp.crm.internal → 10.20.4.17", 4_100],
	["TCP", "10.20.4.17:8443", 11_000],
	["TLS", "TLS 1.3, h2", 38_200],
	["HTTP", "POST /mcp → 200 HTTP/2.0", 52_400],
	["Authorization", "not asked for", 0],
	["server/discover", "2026-07-28, crm 3.2", 52_600],
	["initialize", "not needed", 0],
];

const FAULTS: Record<string, [step: number, short: string, fault: DoctorFault]> = {
	missing: [
		0,
		"`missing` is in none of 9 PATH folders",
		{
			headline: "The configuration of the server is at fault.",
			sign_in: false,
			clear: "No process was started, so the server is not at fault.",
			what: "`missing` is in none of 9 PATH folders.",
			next: "Give its full path, or set PATH in the server’s environment.",
			evidence: [],
		},
	],
	refused: [
		1,
		"mcp.refused.internal:8443 refused the connection",
		{
			headline: "The server is at fault.",
			sign_in: false,
			clear: "The host itself was reached: it refused.",
			what: "mcp.refused.internal:8443 refused the connection: nothing listens on that port.",
			next: "Start the server, or check host and port in the URL.",
			evidence: [],
		},
	],
	"401": [
		4,
		"HTTP 401",
		{
			headline: "Nobody is at fault: the server asks for a sign-in.",
			sign_in: true,
			clear: "The server did not fail: it answered as it should.",
			what: "The server at https://mcp.crm.internal:8443/401 needs authorization (HTTP 401).",
			next: "Sign in, or add an Authorization header to the server’s configuration.",
			evidence: [
				{ name: "WWW-Authenticate", value: 'Bearer resource_metadata="https://mcp.crm.internal/x"' },
			],
		},
	],
};

export class Doctor {
	private run = 0;
	private stopped = true;

	constructor(private readonly host: Host) {}

	readonly commands: Area<"start_doctor" | "stop_doctor"> = {
		start_doctor: ({ draft }) => {
			this.run += 1;
			this.stopped = false;
			this.examine(this.run, draft, 0);
			return this.run;
		},
		stop_doctor: ({ run }) => {
			if (run === this.run) this.stopped = true;
			return null;
		},
	};

	/** Tells the first `done` steps and goes on. */
	private examine(run: number, draft: ServerDraft, done: number): void {
		if (run !== this.run) return;
		const report = reportOf(draft, done, this.stopped);
		setTimeout(() => {
			this.host.emit("doctor-changed", { run, report });
			if (report.outcome === "running") this.examine(run, draft, done + 1);
		}, PACE);
	}
}

function reportOf({ name, target }: ServerDraft, done: number, stopped: boolean): DoctorReport {
	const all = target.transport === "stdio" ? STDIO : HTTP;
	const text = target.transport === "stdio" ? target.command_line : target.url;
	const found = Object.keys(FAULTS).find((word) => text.includes(word));
	const wrong = found === undefined ? undefined : FAULTS[found];
	const failed = wrong !== undefined && done > wrong[0] ? wrong : null;
	const over = failed !== null || stopped || done >= all.length;
	const steps = all.map(([label, fact, us], i): DoctorStep => {
		if (failed && i === failed[0]) return { label, state: "failed", fact: failed[1], dur_us: 306_000 };
		if (i < done && !(failed && i > failed[0])) {
			const left = us === 0 || fact.startsWith("error");
			return { label, state: left ? "skipped" : "passed", fact, dur_us: us === 0 ? null : us };
		}
		if (i === done && !over) return { label, state: "running", fact: "", dur_us: null };
		return { label, state: "waiting", fact: over ? "not run" : "", dur_us: null };
	});
	const outcome = failed ? "failed" : done >= all.length ? "passed" : stopped ? "cancelled" : "running";
	const headline = {
		running: `at step ${Math.min(done + 1, all.length)} of ${all.length}`,
		passed: "connected after 412 ms",
		failed: `stopped at step ${(failed?.[0] ?? 0) + 1} of ${all.length} after 412 ms`,
		cancelled: "cancelled after 412 ms",
	}[outcome];
	return {
		outcome,
		headline,
		steps,
		fault: failed?.[2] ?? null,
		facts:
			target.transport === "stdio"
				? [
						{ name: "Arguments", value: "run · inventory_mcp · --title · EU stock" },
						{ name: "Working folder", value: "/home/ada/src/inventory" },
						{ name: "PATH", value: "/usr/local/bin:/usr/bin:/bin (from this app’s environment)" },
					]
				: [
						{ name: "Headers", value: "x-tenant, authorization" },
						{ name: "Addresses", value: "10.20.4.17" },
					],
		session: null,
		text: `Connection doctor: ${name}\n${text}\n\n${headline}\n`,
	};
}
