import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { DownIcon, ErrorIcon, RightIcon, SearchIcon } from "../../components/icons";
import { MOD, useKeys } from "../../components/keys";
import { Visible } from "../../components/Visible";
import type { Callable } from "../../model/callable";
import { plural } from "../../model/format";
import type { Group } from "../../model/groups";
import { visible } from "../../model/visible";
import css from "./Tools.module.css";

interface Props {
	/** What is listed, in one word: `tool`. */
	noun: string;
	calls: readonly Callable[];
	groups: readonly Group[];
	/** Place of the selected one. */
	selected: number;
	onSelect: (index: number) => void;
}

const ROW = 22;
/** Rows beyond the edges: a list of common length is drawn in full, so that the browser can search it. */
const OVERSCAN = 80;

type Line = { group: string; size: number; open: boolean } | { group: null; call: Callable; index: number };

/** Tools, prompts or resources under their groups, found by name, title or description. */
export function CallList({ noun, calls, groups, selected, onSelect }: Props) {
	const id = useId();
	const [text, setText] = useState("");
	const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
	const scroller = useRef<HTMLDivElement>(null);
	const lines = useMemo(() => linesOf(calls, groups, text, folded), [calls, groups, text, folded]);
	const list = useVirtualizer({
		count: lines.length,
		getScrollElement: () => scroller.current,
		estimateSize: () => ROW,
		overscan: OVERSCAN,
		initialRect: { width: 222, height: 400 },
	});
	const place = useMemo(
		() => lines.findIndex((line) => line.group === null && line.index === selected),
		[lines, selected],
	);
	useEffect(() => {
		if (place >= 0) list.scrollToIndex(place);
	}, [place, list]);
	const step = (by: 1 | -1) => {
		for (let at = place + by; at >= 0 && at < lines.length; at += by) {
			const line = lines[at];
			if (line?.group === null) {
				onSelect(line.index);
				return;
			}
		}
	};
	const toggle = (group: string, open: boolean) => {
		const next = new Set(folded);
		if (open) next.delete(group);
		else next.add(group);
		setFolded(next);
	};
	const onArrow = (event: React.KeyboardEvent): void => {
		if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
		event.preventDefault();
		step(event.key === "ArrowDown" ? 1 : -1);
	};
	return (
		<div className="pane">
			<SearchBox
				noun={noun}
				count={calls.length}
				text={text}
				onText={setText}
				onArrow={onArrow}
				onEnter={() => {
					if (place < 0) step(1);
					requestAnimationFrame(focusForm);
				}}
			/>
			<div
				ref={scroller}
				className={`${css.list} ${lines.length === 0 ? css.none : ""}`}
				role="listbox"
				aria-label={`${noun.charAt(0).toUpperCase()}${noun.slice(1)}s`}
				aria-activedescendant={place >= 0 ? `${id}${selected}` : undefined}
				tabIndex={0}
				onKeyDown={(event) => {
					onArrow(event);
					if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
					const group = groups.find(({ places }) => places.includes(selected))?.title ?? "";
					if (group !== "") toggle(group, event.key === "ArrowRight");
				}}
			>
				<div className={css.rows} style={{ height: list.getTotalSize() }}>
					{list.getVirtualItems().map((item) => {
						const line = lines[item.index];
						if (!line) return null;
						return line.group === null ? (
							<CallItem
								key={line.index}
								id={`${id}${line.index}`}
								call={line.call}
								top={item.start}
								selected={line.index === selected}
								onSelect={() => onSelect(line.index)}
							/>
						) : (
							<GroupLine
								key={`group ${line.group}`}
								line={line}
								top={item.start}
								onToggle={() => toggle(line.group, !line.open)}
							/>
						);
					})}
				</div>
			</div>
			{calls.length > 0 && lines.length === 0 && (
				<div className="empty">
					<p>
						No {noun} matches <span className="mono">{visible(text)}</span>.
					</p>
					<div className="acts">
						<button type="button" className="btn sm" onClick={() => setText("")}>
							Clear search
						</button>
					</div>
				</div>
			)}
		</div>
	);
}

interface SearchProps {
	noun: string;
	count: number;
	text: string;
	onText: (text: string) => void;
	onArrow: (event: React.KeyboardEvent) => void;
	onEnter: () => void;
}

/** Finds items while the arrows walk through what is found. */
function SearchBox({ noun, count, text, onText, onArrow, onEnter }: SearchProps) {
	const search = useRef<HTMLInputElement>(null);
	useKeys({
		"Mod+p": () => {
			search.current?.focus();
			search.current?.select();
			return true;
		},
	});
	return (
		<div className={`bar ${css.search}`}>
			<label className="fld ui">
				<Icon of={SearchIcon} small />
				<span className="vh">Search {noun}s</span>
				<input
					ref={search}
					value={text}
					placeholder={`Search ${plural(count, noun)}`}
					spellCheck={false}
					data-testid={TESTID.toolSearch}
					onChange={(event) => onText(event.target.value)}
					onKeyDown={(event) => {
						onArrow(event);
						if (event.key === "Enter") onEnter();
						if (event.key === "Escape" && text !== "") {
							event.preventDefault();
							onText("");
						}
					}}
				/>
				<kbd>{MOD} P</kbd>
			</label>
		</div>
	);
}

interface GroupProps {
	line: Line & { group: string };
	top: number;
	onToggle: () => void;
}

function GroupLine({ line, top, onToggle }: GroupProps) {
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: ← and → of the list do the same
		<div
			role="presentation"
			className={css.group}
			style={{ transform: `translateY(${top}px)` }}
			onClick={onToggle}
		>
			<Icon of={line.open ? DownIcon : RightIcon} small />
			{visible(line.group)} {line.size}
		</div>
	);
}

/** From the search into the chosen item's first field. */
function focusForm(): void {
	document
		.querySelector<HTMLElement>("[data-arguments] :is(form :is(input, textarea), .cm-content)")
		?.focus();
}

/** What is listed: while something is searched for, every group with a hit is open. */
function linesOf(
	calls: readonly Callable[],
	groups: readonly Group[],
	text: string,
	folded: ReadonlySet<string>,
): Line[] {
	return groups.flatMap(({ title, places }) => {
		const found = places.flatMap((index) => {
			const call = calls[index];
			return call && matches(call, text) ? [{ group: null, call, index }] : [];
		});
		if (title === "" || found.length === 0) return found;
		const open = text !== "" || !folded.has(title);
		return [{ group: title, size: found.length, open }, ...(open ? found : [])];
	});
}

interface ItemProps {
	id: string;
	call: Callable;
	top: number;
	selected: boolean;
	onSelect: () => void;
}

function CallItem({ id, call, top, selected, onSelect }: ItemProps) {
	const about = call.problem ?? call.title ?? call.description ?? call.name;
	return (
		<div
			id={id}
			role="option"
			aria-selected={selected}
			className={`${css.tool} ${selected ? css.on : ""} ${call.problem ? css.broken : ""}`}
			style={{ transform: `translateY(${top}px)` }}
			title={visible([about.slice(0, 600), call.keywords].filter((part) => part).join("\n"))}
			data-testid={TESTID.toolRow}
			data-tool={call.name}
			data-broken={call.problem ? "" : undefined}
			onClick={onSelect}
		>
			<span className="mono trunc grow">
				{call.name === "" ? <span className="dim">(no name)</span> : <Visible text={call.name} />}
			</span>
			{call.problem && (
				<span className="tag err">
					<Icon of={ErrorIcon} small />
					broken
				</span>
			)}
			{call.marks.map(({ word, bad }) => (
				<span key={word} className={bad ? "tag err" : "tag"}>
					{visible(word)}
				</span>
			))}
		</div>
	);
}

function matches(call: Callable, text: string): boolean {
	const wanted = text.trim().toLowerCase();
	if (wanted === "") return true;
	return [call.name, call.title, call.description, call.keywords].some((part) =>
		part?.toLowerCase().includes(wanted),
	);
}
