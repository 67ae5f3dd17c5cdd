import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import type { Retention } from "../../ipc/bindings/Retention";
import type { SessionListRow } from "../../ipc/bindings/SessionListRow";
import type { AppStore } from "../../model/appStore";
import { sentence, words } from "../../model/errors";
import { bytes, plural } from "../../model/format";
import { doomed, limitOf } from "../../model/retention";
import css from "./Settings.module.css";

/** The sentence counts the sessions that are there. */
const ALL = { query: "", limit: 50_000 };

interface Typed {
	days: string;
	gigabytes: string;
}

const typedOf = ({ days, gigabytes }: Retention): Typed => ({
	days: days === null ? "" : String(days),
	gigabytes: gigabytes === null ? "" : String(gigabytes),
});

/** What is deleted by itself. Nothing is until it was said how much that is, and confirmed. */
export function RetentionFields({ app }: { app: AppStore }) {
	const [kept, setKept] = useState<Retention | null>(null);
	const [typed, setTyped] = useState<Typed>({ days: "", gigabytes: "" });
	const [failure, setFailure] = useState<string | null>(null);
	const [all, setAll] = useState<SessionListRow | null>(null);
	const { backend } = app;
	useEffect(() => {
		const read = async () => {
			const retention = await backend.call("get_retention", {});
			setKept(retention);
			setTyped(typedOf(retention));
			setAll(await backend.call("list_sessions", ALL));
		};
		read().catch((error: unknown) => setFailure(words(error)));
	}, [backend]);

	const [days, gigabytes] = [limitOf(typed.days), limitOf(typed.gigabytes)];
	const wrong = days === undefined || gigabytes === undefined;
	const next = wrong ? null : { days, gigabytes };
	const same = next !== null && kept?.days === next.days && kept.gigabytes === next.gigabytes;
	const apply = async () => {
		if (!next) return;
		try {
			await backend.call("set_retention", { retention: next });
			setKept(next);
			setFailure(null);
			setAll(await backend.call("list_sessions", ALL));
		} catch (error) {
			setFailure(words(error));
		}
	};
	const gone = next && all && doomed(all.rows, next, all.disk_bytes, Date.now() * 1000);
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				void apply();
			}}
		>
			<div className={css.limits}>
				<Limit
					id="retention-days"
					before="for"
					after="days after they ended"
					wrong={days === undefined}
					value={typed.days}
					onChange={(text) => setTyped({ ...typed, days: text })}
				/>
				<Limit
					id="retention-gb"
					before="and up to"
					after="GB in all"
					wrong={gigabytes === undefined}
					value={typed.gigabytes}
					onChange={(text) => setTyped({ ...typed, gigabytes: text })}
				/>
				<button
					type="submit"
					className={`btn ${gone && gone.length > 0 && !same ? "danger" : ""}`}
					disabled={wrong || same}
					data-testid={TESTID.applyRetention}
				>
					{gone && gone.length > 0 && !same ? `Apply and delete ${plural(gone.length, "session")}` : "Apply"}
				</button>
			</div>
			<p className={css.hint} role="status" data-testid={TESTID.retentionWords}>
				{wrong
					? "This app cannot read that: write a whole number above 0, or leave the field empty for no limit."
					: retentionWords(next ?? { days: null, gigabytes: null }, gone?.length ?? 0, same)}{" "}
				{all && `${plural(all.kept, "session")} take ${bytes(all.disk_bytes)} now.`}
			</p>
			{failure !== null && (
				<p className="sev-error xs" role="alert">
					{sentence(failure)}
				</p>
			)}
		</form>
	);
}

/** What will be deleted, in a sentence. */
function retentionWords({ days, gigabytes }: Retention, now: number, same: boolean): string {
	if (days === null && gigabytes === null) return "No limit: every session is kept until you delete it.";
	const rules = [
		...(days === null ? [] : [`sessions that ended more than ${plural(days, "day")} ago`]),
		...(gigabytes === null ? [] : [`the oldest sessions while all take more than ${gigabytes} GB`]),
	].join(", and ");
	const first = same
		? "This app deletes by itself"
		: `Applying deletes ${now === 0 ? "nothing" : plural(now, "session")} now, and from then on`;
	return `${first} ${same ? "" : "by itself "}${rules}. Pinned sessions and those that are being recorded always stay.`;
}

interface LimitProps {
	id: string;
	before: string;
	after: string;
	wrong: boolean;
	value: string;
	onChange: (text: string) => void;
}

function Limit({ id, before, after, wrong, value, onChange }: LimitProps) {
	return (
		<label htmlFor={id}>
			{before}
			<span className={`fld ${css.number} ${wrong ? "bad" : ""}`}>
				<input
					id={id}
					value={value}
					inputMode="decimal"
					placeholder="no limit"
					autoComplete="off"
					aria-invalid={wrong}
					data-testid={id}
					onChange={(event) => onChange(event.target.value)}
				/>
			</span>
			{after}
		</label>
	);
}
