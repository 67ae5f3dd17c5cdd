import { useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { FailIcon, OkIcon, WarnIcon } from "../../components/icons";
import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { StatelessRow } from "../../ipc/bindings/StatelessRow";
import type { ToolRow } from "../../ipc/bindings/ToolRow";
import type { AppStore } from "../../model/appStore";
import { sentence } from "../../model/errors";
import { count, plural } from "../../model/format";
import type { SessionStore } from "../../model/sessionStore";
import { listProbes, type StatelessCheck, toolProbes } from "../../model/stateless";
import { visible } from "../../model/visible";
import { Section } from "./Section";
import css from "./Server.module.css";

interface Props {
	app: AppStore;
	session: SessionStore;
	row: SessionRow;
	tools: readonly ToolRow[];
}

/** The promise of 2026-07-28 put to the test: a request needs nothing that went before it. */
export function Stateless({ app, session, row, tools }: Props) {
	const store = useStore(app.stateless);
	const infos = useStore(app.infos);
	const [withTools, setWithTools] = useState(false);
	const check = store.of(row.id);
	const calls = toolProbes(tools);
	const probes = [...listProbes(infos.of(row.id)), ...(withTools ? calls : [])];
	const connected = row.conn.state === "connected" && !row.elsewhere;
	const off = connected ? undefined : "The server is not connected here";
	return (
		<Section
			title="Stateless check"
			end={
				check?.running ? (
					<button type="button" className="btn sm" onClick={() => store.stop(row.id)}>
						Stop
					</button>
				) : (
					<button
						type="button"
						className="btn sm"
						disabled={!connected}
						title={off}
						data-testid={TESTID.stateless}
						onClick={() => void store.run(row.id, probes)}
					>
						Check {plural(probes.length, "request")}
					</button>
				)
			}
		>
			<p className={css.prose}>
				<span className="dim">
					Each request goes over the open connection, and alone over a fresh{" "}
					{row.transport === "stdio" ? "process" : "connection"}: in 2026-07-28 both must be answered alike
					(basic/index › Statelessness).
				</span>
			</p>
			{calls.length > 0 && (
				<label className={css.option}>
					<input
						type="checkbox"
						className="check"
						checked={withTools}
						disabled={check?.running === true}
						data-testid={TESTID.statelessTools}
						onChange={(event) => setWithTools(event.target.checked)}
					/>
					Call {plural(calls.length, "tool")} that the server marks as read-only and that need no argument
				</label>
			)}
			{check && <Found check={check} onSelect={(seq) => void session.selectSeq(seq)} />}
		</Section>
	);
}

function Found({ check, onSelect }: { check: StatelessCheck; onSelect: (seq: number) => void }) {
	const { rows, of, running, failure } = check;
	return (
		<>
			{rows.length > 0 && (
				<table className={css.table} data-testid={TESTID.statelessRows}>
					<thead>
						<tr>
							<th scope="col">Request</th>
							<th scope="col">Answers</th>
							<th scope="col">Shared</th>
							<th scope="col">Alone</th>
						</tr>
					</thead>
					<tbody>
						{rows.map((row, i) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: requests have no other name than their place
							<Compared key={i} row={row} onSelect={onSelect} />
						))}
					</tbody>
				</table>
			)}
			<p className={css.prose} role="status" data-testid={TESTID.statelessWords} data-running={running}>
				{running ? (
					<span className="dim">
						Comparing request {rows.length + 1} of {of}.
					</span>
				) : (
					<Sum check={check} />
				)}
				{failure !== null && (
					<span className="sev-error"> The check went no further: {visible(failure)}.</span>
				)}
			</p>
		</>
	);
}

function Sum({ check: { rows } }: { check: StatelessCheck }) {
	const same = rows.filter((row) => row.same === true).length;
	const differ = rows.filter((row) => row.same === false).length;
	const failed = rows.length - same - differ;
	const parts = [
		`${same} the same`,
		...(differ > 0 ? [`${differ} different`] : []),
		...(failed > 0 ? [`${failed} failed`] : []),
	];
	return <span>{parts.join(", ")}.</span>;
}

function Compared({ row, onSelect }: { row: StatelessRow; onSelect: (seq: number) => void }) {
	const { same, message } = row;
	return (
		<tr data-same={String(same)}>
			<th scope="row" className="mono">
				{visible(row.method)}
				{row.what !== null && <span className="dim"> {visible(row.what)}</span>}
			</th>
			<td>
				<span className={`${css.agrees} ${TONE[String(same)]}`}>
					<Icon of={same === null ? FailIcon : same ? OkIcon : WarnIcon} small />
					{same === null ? "failed" : same ? "same" : "differ"}
				</span>
				{message !== null && <div className="dim">{visible(sentence(message))}</div>}
			</td>
			{[row.shared, row.alone].map((seq, i) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the two are told apart by their place
				<td key={i}>
					{seq === null ? (
						<span className="dim">not sent</span>
					) : (
						<button
							type="button"
							className="btn ghost sm mono"
							title="Show its frame"
							onClick={() => onSelect(seq)}
						>
							#{count(seq)}
						</button>
					)}
				</td>
			))}
		</tr>
	);
}

const TONE: Record<string, string> = { true: "sev-ok", false: "sev-warning", null: "sev-error" };
