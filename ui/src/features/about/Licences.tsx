import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { SearchIcon } from "../../components/icons";
import { count } from "../../model/format";
import { findLicences, type Licence } from "../../model/licences";
import css from "./About.module.css";

/** Height of a row, as `--row` says. */
const ROW = 22;

/** The packages that this app is built from, with their licences; the text of the chosen one, where it is kept. */
export function Licences({ packages }: { packages: readonly Licence[] }) {
	const [text, setText] = useState("");
	const [chosen, setChosen] = useState<Licence | null>(null);
	const shown = useMemo(() => findLicences(packages, text), [packages, text]);
	const box = useRef<HTMLDivElement>(null);
	const rows = useVirtualizer({
		count: shown.length,
		getScrollElement: () => box.current,
		estimateSize: () => ROW,
		overscan: 8,
		initialRect: { width: 600, height: 300 },
	});
	const place = chosen ? shown.indexOf(chosen) : -1;
	const go = (to: number) => {
		const next = shown[Math.max(0, Math.min(to, shown.length - 1))];
		if (!next) return;
		setChosen(next);
		rows.scrollToIndex(shown.indexOf(next));
	};
	const moves: Record<string, number> = {
		ArrowDown: place + 1,
		ArrowUp: place - 1,
		Home: 0,
		End: shown.length - 1,
	};
	return (
		<section className={css.licences} aria-label="Licences">
			<header className="phead">
				<h3>Built from</h3>
				<span className="mono dim" role="status" data-testid={TESTID.licenceCount}>
					{shown.length === packages.length
						? count(packages.length)
						: `${count(shown.length)} of ${count(packages.length)}`}
				</span>
				<span className="grow" />
				<label className={`fld ui ${css.search}`}>
					<Icon of={SearchIcon} small />
					<span className="vh">Package or licence</span>
					<input
						value={text}
						placeholder="package or licence"
						spellCheck={false}
						autoComplete="off"
						data-testid={TESTID.licenceSearch}
						onChange={(event) => setText(event.target.value)}
					/>
				</label>
			</header>
			{shown.length === 0 ? (
				<p className="empty">No package or licence is called so.</p>
			) : (
				<div
					ref={box}
					className={css.list}
					role="listbox"
					aria-label="Packages"
					aria-activedescendant={place >= 0 ? `licence-${place}` : undefined}
					tabIndex={0}
					onKeyDown={(event) => {
						const to = moves[event.key];
						if (to === undefined) return;
						event.preventDefault();
						go(to);
					}}
				>
					<div className={css.rows} style={{ height: rows.getTotalSize() }}>
						{rows.getVirtualItems().map(({ index, start }) => {
							const one = shown[index];
							return (
								one && (
									<div
										key={`${one.name} ${one.version}`}
										id={`licence-${index}`}
										className={css.row}
										style={{ transform: `translateY(${start}px)` }}
										role="option"
										tabIndex={-1}
										aria-selected={one === chosen}
										data-testid={TESTID.licence}
										onClick={() => setChosen(one)}
									>
										<span className="mono trunc">{one.name}</span>
										<span className="mono dim trunc">{one.version}</span>
										<span className="sub trunc" title={one.license}>
											{one.license}
										</span>
									</div>
								)
							);
						})}
					</div>
				</div>
			)}
			{chosen && chosen.text !== "" && (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and holds nothing else that takes the focus
				<pre className={css.text} tabIndex={0}>
					{chosen.text}
				</pre>
			)}
		</section>
	);
}
