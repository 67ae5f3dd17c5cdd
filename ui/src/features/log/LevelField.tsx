import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { Choice } from "../../components/Choice";
import type { Backend } from "../../ipc/backend";
import type { LogLevelName } from "../../ipc/bindings/LogLevelName";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import { words } from "../../model/errors";
import { LEVELS } from "../../model/logStore";

/**
 * The level from which on the server is asked to log (server/utilities/logging): in the legacy era once for the
 * session, in the modern era with every request.
 */
export function LevelField({ backend, row }: { backend: Backend; row: SessionRow }) {
	const [level, setLevel] = useState<LogLevelName | null>(null);
	const [failure, setFailure] = useState<string | null>(null);
	const connected = row.conn.state === "connected" && !row.elsewhere;
	useEffect(() => {
		let live = true;
		backend
			.call("get_log_level", { session: row.id })
			.then((now) => live && setLevel(now))
			// A session that is not connected has none.
			.catch(() => undefined);
		return () => {
			live = false;
		};
	}, [backend, row.id]);
	const ask = async (value: string) => {
		const next = value === "" ? null : (value as LogLevelName);
		try {
			await backend.call("set_log_level", { session: row.id, level: next });
			setLevel(next);
			setFailure(null);
		} catch (error) {
			setFailure(words(error));
		}
	};
	const modern = row.era === "modern";
	return (
		<>
			<Choice
				label="Level that the server is asked for"
				value={level ?? ""}
				disabled={!connected}
				options={[
					// A legacy server cannot be asked to decide by itself again.
					...(modern || level === null ? [["", modern ? "ask for none" : "server decides"] as const] : []),
					...LEVELS.map((one) => [one, `ask for ${one}`] as const),
				]}
				testId={TESTID.logLevel}
				onChange={(value) => void ask(value)}
			/>
			{failure !== null && <span className="sev-error xs trunc">{failure}</span>}
		</>
	);
}
