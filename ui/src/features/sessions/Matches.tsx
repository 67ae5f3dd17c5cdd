import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { CloseIcon } from "../../components/icons";
import { Segments } from "../../components/Segments";
import { useStore } from "../../components/useStore";
import type { HitRow } from "../../ipc/bindings/HitRow";
import { count, plural } from "../../model/format";
import type { HitGroup, SearchStore } from "../../model/search";
import { visible } from "../../model/visible";
import { GroupHead, Hit, lineId } from "./MatchRows";
import css from "./Sessions.module.css";

type Kinds = "all" | "errors" | "stderr";

const KINDS: Record<Kinds, (hit: HitRow) => boolean> = {
	all: () => true,
	errors: (hit) => hit.kind === "error" || hit.kind === "malformed",
	stderr: (hit) => hit.kind === "stderr",
};

/** A line of the list: the head of a session, or one of its hits. */
type Line = { group: HitGroup; hits: HitRow[]; hit: null } | { group: HitGroup; hit: HitRow };

const HEAD = 24;
const ROW = 22;

interface Props {
	search: SearchStore;
	/** Opens a session at a record. */
	onOpen: (session: string, seq: number) => void;
	onClose: () => void;
}

/** What a search has found, as it comes, by session. */
export function Matches({ search, onOpen, onClose }: Props) {
	useStore(search);
	const [kinds, setKinds] = useState<Kinds>("all");
	const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
	const lines = linesOf(search.groups, KINDS[kinds], folded);
	const fold = (session: string, on = !folded.has(session)) => {
		const next = new Set(folded);
		if (on) next.add(session);
		else next.delete(session);
		setFolded(next);
	};
	return (
		<section className={`pane ${css.pane}`} aria-label="Matches" data-testid={TESTID.matches}>
			<header className="phead">
				<h3>Matches</h3>
				<span className="mono dim">{count(search.hits)}</span>
				<span className="dim xs trunc">for {visible(search.query ?? "")}</span>
				<span className="grow" />
				<Segments<Kinds>
					label="Which matches"
					value={kinds}
					onChange={setKinds}
					options={[
						{ value: "all", label: "All records" },
						{ value: "errors", label: "Errors" },
						{ value: "stderr", label: "stderr" },
					]}
				/>
				<button
					type="button"
					className="btn ghost sm ico"
					aria-label="Close matches"
					title="Close matches (Esc)"
					onClick={onClose}
				>
					<Icon of={CloseIcon} small />
				</button>
			</header>
			{search.failure !== null && (
				<div className="strip err" role="alert">
					This app cannot search: {search.failure}
				</div>
			)}
			{search.problems.map((problem) => (
				<div key={problem} className="strip warn">
					{problem}
				</div>
			))}
			<Lines search={search} lines={lines} folded={folded} onFold={fold} onOpen={onOpen} />
			<Nothing search={search} shown={lines.length} kinds={kinds} onAll={() => setKinds("all")} />
		</section>
	);
}

function linesOf(
	groups: readonly HitGroup[],
	keep: (hit: HitRow) => boolean,
	folded: ReadonlySet<string>,
): Line[] {
	return groups.flatMap((group) => {
		const hits = group.hits.filter(keep);
		if (hits.length === 0) return [];
		const under = folded.has(group.session) ? [] : hits;
		return [{ group, hits, hit: null }, ...under.map((hit) => ({ group, hit }))];
	});
}

interface LinesProps {
	search: SearchStore;
	lines: readonly Line[];
	folded: ReadonlySet<string>;
	onFold: (session: string, on?: boolean) => void;
	onOpen: Props["onOpen"];
}

function Lines({ search, lines, folded, onFold, onOpen }: LinesProps) {
	const grid = useRef<HTMLDivElement>(null);
	const list = useVirtualizer({
		count: lines.length,
		getScrollElement: () => grid.current,
		estimateSize: (index) => (lines[index]?.hit ? ROW : HEAD),
		overscan: 12,
		initialRect: { width: 900, height: 400 },
	});
	const { current } = search;
	const place = lines.findIndex(
		({ group, hit }) => group.session === current?.session && (hit?.seq ?? 0) === current?.seq,
	);
	useEffect(() => {
		if (place >= 0) list.scrollToIndex(place);
	}, [place, list]);
	const line = lines[place];
	const go = (to: number) => {
		const next = lines[Math.max(0, Math.min(to, lines.length - 1))];
		if (next) search.choose(next.group.session, next.hit?.seq ?? 0);
	};
	const open = () => {
		if (line?.hit) onOpen(line.hit.session, line.hit.seq);
		else if (line) onFold(line.group.session);
	};
	const left = () => {
		if (line?.hit) search.choose(line.group.session, 0);
		else if (line) onFold(line.group.session, true);
	};
	const actions: Record<string, () => void> = {
		ArrowDown: () => go(place + 1),
		j: () => go(place + 1),
		ArrowUp: () => go(place - 1),
		k: () => go(place - 1),
		PageDown: () => go(place + 12),
		PageUp: () => go(place - 12),
		Home: () => go(0),
		End: () => go(lines.length - 1),
		ArrowLeft: left,
		h: left,
		ArrowRight: () => line && onFold(line.group.session, false),
		l: () => line && onFold(line.group.session, false),
		Enter: open,
		o: open,
	};
	return (
		<div
			ref={grid}
			className={`${css.hits} ${lines.length === 0 ? css.none : ""}`}
			role="treegrid"
			aria-label="Matches by session"
			aria-rowcount={lines.length}
			aria-activedescendant={place >= 0 ? lineId(place) : undefined}
			aria-busy={search.running}
			tabIndex={lines.length === 0 ? -1 : 0}
			data-testid={TESTID.hits}
			onKeyDown={(event) => {
				const action = actions[event.key];
				if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
				event.preventDefault();
				action();
			}}
		>
			<div className={css.rows} style={{ height: list.getTotalSize() }} role="rowgroup">
				{list.getVirtualItems().map(({ index, start }) => {
					const of = lines[index];
					if (!of) return null;
					const props = { index, top: start, selected: index === place };
					return of.hit ? (
						<Hit
							key={`${of.hit.session} ${of.hit.seq}`}
							{...props}
							hit={of.hit}
							onChoose={() => search.choose(of.group.session, of.hit.seq)}
							onOpen={() => onOpen(of.hit.session, of.hit.seq)}
						/>
					) : (
						<GroupHead
							key={of.group.session}
							{...props}
							group={of.group}
							n={of.hits.length}
							folded={folded.has(of.group.session)}
							onFold={() => {
								search.choose(of.group.session, 0);
								onFold(of.group.session);
							}}
						/>
					);
				})}
			</div>
		</div>
	);
}

interface NothingProps {
	search: SearchStore;
	shown: number;
	kinds: Kinds;
	onAll: () => void;
}

function Nothing({ search, shown, kinds, onAll }: NothingProps) {
	if (shown > 0 || search.running || search.failure !== null) return null;
	return (
		<div className="empty">
			<p>
				No {kinds === "all" ? "record" : kinds === "errors" ? "error" : "line of stderr"} in{" "}
				{plural(search.sessions, "session")} matches{" "}
				<span className="mono">{visible(search.query ?? "")}</span>
				{search.stopped && " so far: the search was stopped"}.
			</p>
			{kinds !== "all" && (
				<div className="acts">
					<button type="button" className="btn sm" onClick={onAll}>
						All records
					</button>
				</div>
			)}
		</div>
	);
}
