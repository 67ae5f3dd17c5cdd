import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { ErrorIcon, SearchIcon } from "../../components/icons";
import { Visible } from "../../components/Visible";
import type { ToolRow } from "../../ipc/bindings/ToolRow";
import { plural } from "../../model/format";
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

/** The tools in the server's order, found by name, title or description. */
export function ToolList({ tools, selected, onSelect }: Props) {
	const [text, setText] = useState("");
	const scroller = useRef<HTMLDivElement>(null);
	const found = tools.map((tool, index) => ({ tool, index })).filter(({ tool }) => matches(tool, text));
	const list = useVirtualizer({
		count: found.length,
		getScrollElement: () => scroller.current,
		estimateSize: () => ROW,
		overscan: OVERSCAN,
		initialRect: { width: 222, height: 400 },
	});
	const place = found.findIndex(({ index }) => index === selected);
	useEffect(() => {
		if (place >= 0) list.scrollToIndex(place);
	}, [place, list]);
	const step = (by: number) => {
		const next = found[Math.min(Math.max(0, place + by), found.length - 1)];
		if (next) onSelect(next.index);
	};
	return (
		<div className="pane">
			<div className={`bar ${css.search}`}>
				<label className="fld ui">
					<Icon of={SearchIcon} small />
					<span className="vh">Search tools</span>
					<input
						value={text}
						placeholder={`Search ${plural(tools.length, "tool")}`}
						spellCheck={false}
						data-testid={TESTID.toolSearch}
						onChange={(event) => setText(event.target.value)}
						onKeyDown={(event) => {
							if (event.key === "Escape" && text !== "") {
								event.preventDefault();
								setText("");
							}
						}}
					/>
				</label>
			</div>
			<div
				ref={scroller}
				className={css.list}
				role="listbox"
				aria-label="Tools"
				aria-activedescendant={place >= 0 ? `tool-${selected}` : undefined}
				tabIndex={0}
				onKeyDown={(event) => {
					if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
					event.preventDefault();
					step(event.key === "ArrowDown" ? 1 : -1);
				}}
			>
				<div className={css.rows} style={{ height: list.getTotalSize() }}>
					{list.getVirtualItems().map((item) => {
						const entry = found[item.index];
						return (
							entry && (
								<ToolItem
									key={entry.index}
									tool={entry.tool}
									index={entry.index}
									top={item.start}
									selected={entry.index === selected}
									onSelect={() => onSelect(entry.index)}
								/>
							)
						);
					})}
				</div>
			</div>
			{tools.length > 0 && found.length === 0 && (
				<div className="empty">
					No tool matches <span className="mono">{visible(text)}</span>.
				</div>
			)}
		</div>
	);
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
			title={visible(about)}
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
	return [tool.name, tool.title, tool.description].some((part) => part?.toLowerCase().includes(wanted));
}
