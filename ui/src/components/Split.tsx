import { type ReactNode, useEffect } from "react";
import { Group, Panel, Separator, useGroupRef } from "react-resizable-panels";
import css from "./Split.module.css";

/** A panel of a split. Sizes are pixels as numbers or per cent as strings. */
export interface Pane {
	id: string;
	size: string;
	min: string;
	children: ReactNode;
}

interface Props {
	direction: "horizontal" | "vertical";
	panes: readonly Pane[];
	/** What each separator resizes, for screen readers. */
	label: string;
	/** Kept sizes in per cent by panel. */
	layout: Record<string, number> | undefined;
	onLayout: (layout: Record<string, number>) => void;
}

/** Panels side by side with separators that can be dragged or moved with the arrow keys. */
export function Split({ direction, panes, label, layout, onLayout }: Props) {
	const group = useGroupRef();
	useEffect(() => {
		// Kept sizes arrive after the first drawing.
		if (layout) group.current?.setLayout(layout);
	}, [layout, group]);
	return (
		<Group
			className={css.group ?? ""}
			orientation={direction}
			groupRef={group}
			{...(layout ? { defaultLayout: layout } : {})}
			onLayoutChanged={(next, meta) => {
				if (meta.isUserInteraction) onLayout(next);
			}}
		>
			{panes.flatMap((pane, i) => [
				i > 0 && (
					<Separator
						key={`before ${pane.id}`}
						className={direction === "horizontal" ? css.column : css.row}
						aria-label={label}
					/>
				),
				<Panel
					key={pane.id}
					id={pane.id}
					// The library would make the id a test id.
					data-testid={`pane-${pane.id}`}
					defaultSize={pane.size}
					minSize={pane.min}
					className={css.panel ?? ""}
				>
					{pane.children}
				</Panel>,
			])}
		</Group>
	);
}
