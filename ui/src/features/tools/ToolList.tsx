import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { DownIcon, ErrorIcon, RightIcon, SearchIcon } from "../../components/icons";
import { MOD, useKeys } from "../../components/keys";
import { Visible } from "../../components/Visible";
import type { ToolRow } from "../../ipc/bindings/ToolRow";
import { plural } from "../../model/format";
import { groupTools } from "../../model/toolGroups";
import { visible } from "../../model/visible";
import css from "./Tools.module.css";

interface Props {
	tools: readonly ToolRow[];
	/** Place of the selected tool. */
	selected: number;
	onSelect: (index: number) => void;
}

const ROW = 22;
/** Rows beyond the edges: a list of common length is drawn in full, so that the browser can search it. */
const OVERSCAN = 80;

type Line = { group: string; size: number; open: boolean } | { group: null; tool: ToolRow; index: number };

/** The tools under their namespaces, found by name, title or description. */
export function ToolList({ tools, selected, onSelect }: Props) {
	const [text, setText] = useState("");
	const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
	const scroller = useRef<HTMLDivElement>(null);
	const groups = useMemo(() => groupTools(tools.map((tool) => tool.name)), [tools]);
	const lines = useMemo(() => linesOf(tools, groups, text, folded), [tools, groups, text, folded]);
	const list = useVirtualizer({
		count: lines.length,
		getScrollElement: () => scroller.current,
		estimateSize: () => ROW,
		overscan: OVERSCAN,
		initialRect: { width: 222, height: 400 },
	});
	const place = lines.findIndex((line) => line.group === null && line.index === selected);
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
				count={tools.length}
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
				className={css.list}
				role="listbox"
				aria-label="Tools"
				aria-activedescendant={place >= 0 ? `tool-${selected}` : undefined}
				tabIndex={0}
				onKeyDown={(event) => {
					onArrow(event);
					if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
					const group = groups.find(({ tools: of }) => of.includes(selected))?.prefix ?? "";
					if (group !== "") toggle(group, event.key === "ArrowRight");
				}}
			>
				<div className={css.rows} style={{ height: list.getTotalSize() }}>
					{list.getVirtualItems().map((item) => {
						const line = lines[item.index];
						if (!line) return null;
						return line.group === null ? (
							<ToolItem
								key={line.index}
								tool={line.tool}
								index={line.index}
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
			{tools.length > 0 && lines.length === 0 && (
				<div className="empty">
					No tool matches <span className="mono">{visible(text)}</span>.
				</div>
			)}
		</div>
	);
}

interface SearchProps {
	count: number;
	text: string;
	onText: (text: string) => void;
	onArrow: (event: React.KeyboardEvent) => void;
	onEnter: () => void;
}

/** Finds tools while the arrows walk through what is found. */
function SearchBox({ count, text, onText, onArrow, onEnter }: SearchProps) {
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
				<span className="vh">Search tools</span>
				<input
					ref={search}
					value={text}
					placeholder={`Search ${plural(count, "tool")}`}
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

/** From the search into the chosen tool's first field. */
function focusForm(): void {
	document
		.querySelector<HTMLElement>("[data-arguments] :is(form :is(input, textarea), .cm-content)")
		?.focus();
}

/** What is listed: while something is searched for, every group with a hit is open. */
function linesOf(
	tools: readonly ToolRow[],
	groups: ReturnType<typeof groupTools>,
	text: string,
	folded: ReadonlySet<string>,
): Line[] {
	return groups.flatMap(({ prefix, tools: places }) => {
		const found = places.flatMap((index) => {
			const tool = tools[index];
			return tool && matches(tool, text) ? [{ group: null, tool, index }] : [];
		});
		if (prefix === "" || found.length === 0) return found;
		const open = text !== "" || !folded.has(prefix);
		return [{ group: prefix, size: found.length, open }, ...(open ? found : [])];
	});
}

interface ItemProps {
	tool: ToolRow;
	index: number;
	top: number;
	selected: boolean;
	onSelect: () => void;
}

function ToolItem({ tool, index, top, selected, onSelect }: ItemProps) {
	const about = tool.problem ?? tool.title ?? tool.description ?? tool.name;
	return (
		<div
			id={`tool-${index}`}
			role="option"
			aria-selected={selected}
			className={`${css.tool} ${selected ? css.on : ""} ${tool.problem ? css.broken : ""}`}
			style={{ transform: `translateY(${top}px)` }}
			title={visible(about.slice(0, 600))}
			data-testid={TESTID.toolRow}
			data-tool={tool.name}
			data-broken={tool.problem ? "" : undefined}
			onClick={onSelect}
		>
			<span className="mono trunc grow">
				<Visible text={tool.name} />
			</span>
			{tool.problem && (
				<span className="tag err">
					<Icon of={ErrorIcon} small />
					broken
				</span>
			)}
			<Hints tool={tool} />
		</div>
	);
}

/** Annotations that are written; a missing one says nothing. */
function Hints({ tool }: { tool: ToolRow }) {
	return (
		<>
			{tool.destructive && <span className="tag err">destructive</span>}
			{tool.read_only && <span className="tag">read</span>}
			{tool.idempotent && <span className="tag">idem</span>}
			{tool.open_world && <span className="tag">open</span>}
		</>
	);
}

function matches(tool: ToolRow, text: string): boolean {
	const wanted = text.trim().toLowerCase();
	if (wanted === "") return true;
	return [tool.name, tool.title, tool.description].some((part) => part?.toLowerCase().includes(wanted));
}
