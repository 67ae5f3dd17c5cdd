import { useState } from "react";
import { TESTID } from "../../app/testids";
import type { Backend } from "../../ipc/backend";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import { ask, refusal } from "../../model/ask";
import { words } from "../../model/errors";
import { duration } from "../../model/format";
import { visible } from "../../model/visible";
import { Section } from "./Section";
import css from "./Server.module.css";

/** Times that are shown. */
const MAX = 12;

interface Sent {
	us: number | null;
	/** Why there is no time. */
	problem: string | null;
}

/** How long the server takes to say that it is there. */
export function Ping({ backend, row }: { backend: Backend; row: SessionRow }) {
	const [sent, setSent] = useState<readonly Sent[]>([]);
	const [busy, setBusy] = useState(false);
	const connected = row.conn.state === "connected" && !row.elsewhere;
	const ping = async () => {
		setBusy(true);
		const one = await ask(backend, row.id, "ping", null)
			.then((asked): Sent => ({ us: asked.us, problem: refusal(asked) }))
			.catch((error: unknown): Sent => ({ us: null, problem: words(error) }));
		setSent((old) => [one, ...old].slice(0, MAX));
		setBusy(false);
	};
	const last = sent[0] ?? null;
	return (
		<Section
			title="Ping"
			end={
				<button
					type="button"
					className="btn sm"
					disabled={!connected || busy}
					title={connected ? undefined : "The server is not connected here"}
					data-testid={TESTID.ping}
					onClick={() => void ping()}
				>
					Ping
				</button>
			}
		>
			<p className={css.prose} data-testid={TESTID.pings}>
				{last?.problem != null && <span className="sev-error">{visible(last.problem)} </span>}
				{sent.map(({ us, problem }, i) =>
					us === null || problem !== null ? null : (
						// biome-ignore lint/suspicious/noArrayIndexKey: times have no other name than their place
						<span key={i} className={i === 0 ? "mono strong" : "mono dim"}>
							{duration(us)}{" "}
						</span>
					),
				)}
				{row.era === "modern" && (
					<span className="dim">
						2026-07-28 has no ping: a server answers -32601, which tells that it is there, too.
					</span>
				)}
				{row.era !== "modern" && sent.length === 0 && (
					<span className="dim">The server has to answer promptly (basic/utilities/ping).</span>
				)}
			</p>
		</Section>
	);
}
