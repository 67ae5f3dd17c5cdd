import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { DownIcon, RightIcon } from "../../components/icons";
import { plural } from "../../model/format";
import type { Lead } from "../../model/roundStore";
import type { RoundedCall } from "../../model/rounds";
import type { SessionStore } from "../../model/sessionStore";
import css from "./Timeline.module.css";

interface Props {
	lead: Lead | null;
	seq: number;
	onFold: (seq: number) => void;
}

/** Before what a row says: the button of a call that folds its rounds, or that the row stands under such a call. */
export function RoundLead({ lead, seq, onFold }: Props) {
	if (!lead) return null;
	const { place, folded } = lead;
	if (seq !== place.call.first) return <span className={css.nested} aria-hidden />;
	const what = `${folded ? "Show" : "Fold"} the rounds of #${seq}`;
	return (
		<button
			type="button"
			className={css.foldRounds}
			tabIndex={-1}
			aria-expanded={!folded}
			aria-keyshortcuts="h l"
			aria-label={what}
			title={`${what} (${folded ? "l" : "h"})`}
			data-testid={TESTID.foldRounds}
			onClick={(event) => {
				event.stopPropagation();
				onFold(seq);
			}}
		>
			<Icon of={folded ? RightIcon : DownIcon} small />
		</button>
	);
}

/** The round that a row belongs to; of the call itself how many there are. */
export function RoundTag({ lead, seq }: Omit<Props, "onFold">) {
	if (!lead) return null;
	const { call } = lead.place;
	const first = seq === call.first;
	return (
		<span className={`tag ${css.flag}`} title={first && lead.folded ? folding(call) : undefined}>
			{first ? plural(call.rounds.length, "round") : `round ${lead.place.round.number}`}
			{first && lead.folded && `, ${call.members.length} folded`}
		</span>
	);
}

/** The same for a screen reader. */
export function roundWords({ place: { call, round }, folded }: Lead, seq: number): string {
	if (seq !== call.first) return `round ${round.number} of the call #${call.first}`;
	return `${plural(call.rounds.length, "round")}, ${folded ? folding(call) : "shown below"}`;
}

function folding({ members }: RoundedCall): string {
	return `${plural(members.length, "row")} folded away`;
}

/** Folds the rounds of a record's call, or brings them back; the selection stays in sight. False where it is in none. */
export function toggleRounds(session: SessionStore, seq: number, folded?: boolean): boolean {
	const { rounds, selected } = session;
	const call = rounds.of(seq)?.call;
	if (!call) return false;
	const next = folded ?? !rounds.isFolded(call);
	if (next && selected && call.members.includes(selected.row.seq)) void session.selectSeq(call.first);
	rounds.fold(call, next);
	return true;
}

export type { Lead };
