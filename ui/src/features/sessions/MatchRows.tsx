import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { DownIcon, RightIcon } from "../../components/icons";
import { useNow } from "../../components/useNow";
import { Visible } from "../../components/Visible";
import type { HitRow } from "../../ipc/bindings/HitRow";
import { count, plural, when } from "../../model/format";
import { direction, kindWord } from "../../model/rows";
import type { HitGroup } from "../../model/search";
import { titleOf } from "../../model/sessionList";
import css from "./Sessions.module.css";

/** The element that stands for a line, by its place. */
export const lineId = (index: number) => `match-${index}`;

interface LineProps {
	index: number;
	top: number;
	selected: boolean;
}

interface HeadProps extends LineProps {
	group: HitGroup;
	n: number;
	folded: boolean;
	onFold: () => void;
}

/** A session with how many of its records match. */
export function GroupHead({ index, top, selected, group, n, folded, onFold }: HeadProps) {
	const now = useNow(60_000);
	const { row } = group;
	return (
		<div
			id={lineId(index)}
			className={css.group}
			style={{ transform: `translateY(${top}px)` }}
			role="row"
			tabIndex={-1}
			aria-level={1}
			aria-rowindex={index + 1}
			aria-expanded={!folded}
			aria-selected={selected}
			data-testid={TESTID.hitGroup}
			data-session={group.session}
			onClick={onFold}
		>
			<span role="gridcell" className={css.groupCell}>
				<Icon of={folded ? RightIcon : DownIcon} small />
				<span className="strong trunc">{row ? <Visible text={titleOf(row)} /> : "session"}</span>
				<span className="dim">{row && when(row.started_us, now * 1000)}</span>
				<span className="grow" />
				<span className="dim">{plural(n, "match").replace("matchs", "matches")}</span>
			</span>
		</div>
	);
}

interface HitProps extends LineProps {
	hit: HitRow;
	onChoose: () => void;
	onOpen: () => void;
}

/** A record that matches. */
export function Hit({ index, top, selected, hit, onChoose, onOpen }: HitProps) {
	const way = direction(hit);
	return (
		<div
			id={lineId(index)}
			className={css.hit}
			style={{ transform: `translateY(${top}px)` }}
			role="row"
			tabIndex={-1}
			aria-level={2}
			aria-rowindex={index + 1}
			aria-selected={selected}
			title="Open the session at this record (Enter)"
			data-testid={TESTID.hit}
			data-session={hit.session}
			data-seq={hit.seq}
			onClick={onChoose}
			onDoubleClick={onOpen}
		>
			<span role="gridcell" className={`${css.num} dim`}>
				{count(hit.seq)}
			</span>
			<span role="gridcell" className={`k-${hit.kind}`}>
				{kindWord(hit.kind)}
			</span>
			<span role="gridcell" className={way.className} title={way.words}>
				{way.arrow}
			</span>
			<span role="gridcell" className="mono sub">
				<Marked hit={hit} />
			</span>
		</div>
	);
}

/** The text with the places that match. */
function Marked({ hit }: { hit: HitRow }) {
	const parts: { text: string; on: boolean }[] = [];
	let at = 0;
	for (const [from, to] of hit.marks) {
		if (from < at) continue;
		if (from > at) parts.push({ text: hit.text.slice(at, from), on: false });
		parts.push({ text: hit.text.slice(from, to), on: true });
		at = to;
	}
	if (at < hit.text.length) parts.push({ text: hit.text.slice(at), on: false });
	return parts.map(({ text, on }, i) => {
		const Part = on ? "mark" : "span";
		return (
			// biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name
			<Part key={i}>
				<Visible text={text} />
			</Part>
		);
	});
}
