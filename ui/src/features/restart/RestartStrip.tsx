import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { CloseIcon, PlayIcon, RestartIcon, WarnIcon } from "../../components/icons";
import { Visible } from "../../components/Visible";
import type { LastCall } from "../../ipc/bindings/LastCall";
import type { RestartRow } from "../../ipc/bindings/RestartRow";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import type { CallStore } from "../../model/calls";
import { sentence, words } from "../../model/errors";
import { editAndResend } from "../../model/resend";
import { lines, summary } from "../../model/restart";
import { visible } from "../../model/visible";
import css from "./Restart.module.css";

interface Props {
	app: AppStore;
	calls: CallStore;
	row: SessionRow;
	/** Its own lists are here: only then can they be compared. */
	ready: boolean;
}

/** Of a session that restarts another one: why, what changed in the lists, and the last call once more, if one wants. */
export function RestartStrip({ app, calls, row, ready }: Props) {
	const told = useRestart(app, row, ready);
	const [closed, close] = useState<string | null>(null);
	const problem = row.watch?.problem ?? null;
	const shown = told !== null && closed !== row.id && (told.why !== null || told.lists.length > 0);
	return (
		<>
			{problem !== null && (
				<div className="strip warn" role="alert" data-testid={TESTID.watchProblem}>
					<Icon of={WarnIcon} small />
					<span className="grow selectable">{sentence(problem)}</span>
				</div>
			)}
			{shown && <Told app={app} calls={calls} row={row} told={told} onClose={() => close(row.id)} />}
		</>
	);
}

function useRestart(app: AppStore, row: SessionRow, ready: boolean): RestartRow | null {
	const [told, tell] = useState<{ of: string; row: RestartRow | null } | null>(null);
	const { id } = row;
	const asks = ready && row.previous !== null;
	useEffect(() => {
		if (!asks) return;
		let wanted = true;
		app.backend
			.call("get_restart", { session: id })
			.then((answer) => wanted && tell({ of: id, row: answer }))
			.catch((error) => wanted && app.tell(words(error)));
		return () => {
			wanted = false;
		};
	}, [app, id, asks]);
	return told?.of === id ? told.row : null;
}

interface ToldProps extends Omit<Props, "ready"> {
	told: RestartRow;
	onClose: () => void;
}

function Told({ app, calls, row, told, onClose }: ToldProps) {
	const { why, number, lists, call } = told;
	const changes = lines(lists);
	return (
		<div className={`strip inf ${css.strip}`} data-testid={TESTID.restartStrip}>
			<Icon of={RestartIcon} small />
			<div className="grow selectable">
				{sentence(why ?? `Since session #${number}`)}{" "}
				{changes.length === 0 ? (
					<span className="dim">The lists are as they were.</span>
				) : (
					<details className={css.changes} data-testid={TESTID.restartChanges}>
						<summary>{summary(lists)}</summary>
						<ul>
							{changes.map(({ what, kind, name, parts }, i) => (
								// biome-ignore lint/suspicious/noArrayIndexKey: names may stand twice, and the lines never move
								<li key={i}>
									<span className="dim">{kind}</span> <Visible text={name} />
									{parts.length > 0 && <span className="dim"> · {parts.map(visible).join(", ")}</span>}
									{what !== "tools" && <span className="dim"> · {what}</span>}
								</li>
							))}
						</ul>
					</details>
				)}
			</div>
			{call && <Again app={app} calls={calls} row={row} previous={told.previous} call={call} />}
			<button type="button" className="btn ghost sm ico" aria-label="Dismiss" onClick={onClose}>
				<Icon of={CloseIcon} small />
			</button>
		</div>
	);
}

interface AgainProps extends Omit<Props, "ready"> {
	previous: string;
	call: LastCall;
}

/** The last call of the session before, sent once more as it was. What holds a masked secret is opened for editing instead. */
function Again({ app, calls, row, previous, call }: AgainProps) {
	const connected = row.conn.state === "connected" && !row.elsewhere;
	const { method, params, about, masked, seq } = call;
	const run = async () => {
		if (masked) {
			await editAndResend(app, previous, seq);
			return;
		}
		try {
			await calls.send(row.id, { method, params, timeout_ms: null, headers: [] });
		} catch (error) {
			app.tell(`The call cannot be made again. ${words(error)}`);
		}
	};
	return (
		<button
			type="button"
			className="btn sm"
			disabled={!connected}
			title={`${method}${params === null ? "" : ` ${visible(params.slice(0, 400))}`}`}
			data-testid={TESTID.runAgain}
			onClick={() => void run()}
		>
			<Icon of={PlayIcon} small />
			{masked ? "Edit" : "Run"} <span className={`mono trunc ${css.name}`}>{visible(about ?? method)}</span>{" "}
			again
		</button>
	);
}
