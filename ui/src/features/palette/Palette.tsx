import type { LucideIcon } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { SearchIcon } from "../../components/icons";
import { Modal } from "../../components/Modal";
import { Visible } from "../../components/Visible";
import { type Found, find } from "./find";
import css from "./Palette.module.css";

/** Something that can be gone to or done. */
export interface PaletteItem {
	id: string;
	label: string;
	icon: LucideIcon;
	/** The label is data: a name of the server's. */
	mono?: boolean;
	/** Beside the label. */
	detail?: string | undefined;
	/** A mark of consequence, such as `destructive`. */
	warning?: string | undefined;
	/** The keys that do it. */
	keys?: string | undefined;
	run: () => void;
}

export interface PaletteGroup {
	title: string;
	items: readonly PaletteItem[];
}

interface Props {
	open: boolean;
	onClose: () => void;
	groups: readonly PaletteGroup[];
	/** Looks for the text in all records. */
	onSearch: (text: string) => void;
}

/** Everything by name: servers, tools, sessions, commands. */
export function Palette({ open, onClose, groups, onSearch }: Props) {
	return (
		<Modal open={open} onClose={onClose} className={css.popup} label="Search or run">
			<Body
				groups={groups}
				onRun={(run) => {
					onClose();
					// After the dialog has given the focus back: what runs may take it elsewhere.
					setTimeout(run);
				}}
				onSearch={onSearch}
			/>
		</Modal>
	);
}

interface BodyProps {
	groups: readonly PaletteGroup[];
	onRun: (run: () => void) => void;
	onSearch: (text: string) => void;
}

function Body({ groups, onRun, onSearch }: BodyProps) {
	const [text, setText] = useState("");
	const [at, setAt] = useState(0);
	const list = useRef<HTMLDivElement>(null);
	const id = useId();
	const query = text.trim();
	const found = find(groups, query);
	const search: PaletteItem = {
		id: "search",
		label: `Search all records for “${query}”`,
		icon: SearchIcon,
		keys: "Ctrl ↵",
		run: () => onSearch(query),
	};
	const items = [
		...found.flatMap((group) => group.items.map(({ item }) => item)),
		...(query ? [search] : []),
	];
	const place = Math.min(at, items.length - 1);
	useEffect(() => {
		list.current?.querySelector(`[data-place="${place}"]`)?.scrollIntoView?.({ block: "nearest" });
	}, [place]);
	const move = (to: number) => setAt((to + items.length) % Math.max(1, items.length));
	const actions: Record<string, () => void> = {
		ArrowDown: () => move(place + 1),
		ArrowUp: () => move(place - 1),
		Home: () => move(0),
		End: () => move(items.length - 1),
		Enter: () => {
			const item = items[place];
			if (item) onRun(item.run);
		},
	};
	let next = 0;
	const row = (one: Found) => {
		const index = next++;
		return (
			<Entry
				key={one.item.id}
				id={`${id}${index}`}
				index={index}
				found={one}
				on={index === place}
				onRun={() => onRun(one.item.run)}
			/>
		);
	};
	return (
		<>
			<label className={css.field}>
				<Icon of={SearchIcon} small />
				<input
					value={text}
					role="combobox"
					aria-label="Search or run"
					aria-expanded
					aria-controls={`${id}list`}
					aria-activedescendant={items.length > 0 ? `${id}${place}` : undefined}
					placeholder="A server, tool, session or command"
					spellCheck={false}
					autoComplete="off"
					data-testid={TESTID.paletteInput}
					onChange={(event) => {
						setText(event.target.value);
						setAt(0);
					}}
					onKeyDown={(event) => {
						if (event.nativeEvent.isComposing) return;
						const mod = event.ctrlKey || event.metaKey;
						const action =
							mod && event.key === "Enter" ? query && (() => onRun(search.run)) : actions[event.key];
						if (!action) return;
						event.preventDefault();
						action();
					}}
				/>
				<kbd>Esc</kbd>
			</label>
			<div ref={list} id={`${id}list`} className={css.list} role="listbox" aria-label="Found">
				{found.map((group) => (
					<div key={group.title} role="group" aria-label={group.title}>
						<div className={css.title} aria-hidden>
							{group.title}
						</div>
						{group.items.map(row)}
					</div>
				))}
				{query !== "" && row({ item: search, marks: [] })}
			</div>
		</>
	);
}

interface EntryProps {
	id: string;
	index: number;
	found: Found;
	on: boolean;
	onRun: () => void;
}

function Entry({ id, index, found: { item, marks }, on, onRun }: EntryProps) {
	return (
		<div
			id={id}
			className={`${css.item} ${on ? css.on : ""}`}
			role="option"
			tabIndex={-1}
			aria-selected={on}
			data-place={index}
			data-testid={TESTID.paletteItem}
			onClick={onRun}
		>
			<Icon of={item.icon} small />
			<span className={`trunc ${item.mono ? "mono" : ""}`}>
				<Marked text={item.label} marks={marks} />
			</span>
			{item.warning !== undefined && <span className="tag err">{item.warning}</span>}
			{item.detail !== undefined && (
				<span className={`dim trunc ${css.detail}`}>
					<Visible text={item.detail} />
				</span>
			)}
			{item.keys !== undefined && <kbd>{item.keys}</kbd>}
		</div>
	);
}

function Marked({ text, marks }: { text: string; marks: Found["marks"] }) {
	const parts = [];
	let at = 0;
	for (const [from, to] of marks) {
		parts.push(
			<Visible key={at} text={text.slice(at, from)} />,
			<mark key={`${from} mark`}>
				<Visible text={text.slice(from, to)} />
			</mark>,
		);
		at = to;
	}
	return [...parts, <Visible key={at} text={text.slice(at)} />];
}
