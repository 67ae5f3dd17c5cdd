import { ContextMenu } from "@base-ui/react/context-menu";
import type { ReactElement, RefObject } from "react";
import { TESTID } from "../../app/testids";
import menu from "../../components/Menu.module.css";
import { Visible } from "../../components/Visible";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import { count } from "../../model/format";
import { quickTerms } from "../../model/terms";

/** What can be done with a row beside filtering by it. */
export interface RowAction {
	name: string;
	/** The key that does the same. */
	key: string;
	run: () => void;
}

interface Props {
	/** The row and column that the menu is about. */
	target: { row: RecordRow; column: string | null } | null;
	actions: readonly RowAction[];
	onTerm: (term: string) => void;
	/** Gets the focus back. */
	grid: RefObject<HTMLElement | null>;
	children: ReactElement<Record<string, unknown>>;
}

/** The menu of a cell, by the other mouse button, the menu key or Shift F10: filters made of it, and what its row can do. */
export function RowMenu({ target, actions, onTerm, grid, children }: Props) {
	return (
		<ContextMenu.Root>
			<ContextMenu.Trigger render={children} />
			<ContextMenu.Portal>
				<ContextMenu.Positioner className={menu.positioner ?? ""}>
					<ContextMenu.Popup className={menu.popup ?? ""} finalFocus={grid} data-testid={TESTID.rowMenu}>
						{target && <Terms target={target} onTerm={onTerm} />}
						<ContextMenu.Separator className={menu.line ?? ""} />
						{actions.map(({ name, key, run }) => (
							<ContextMenu.Item key={name} className={menu.item ?? ""} onClick={run}>
								{name}
								<span className="grow" />
								<kbd>{key}</kbd>
							</ContextMenu.Item>
						))}
					</ContextMenu.Popup>
				</ContextMenu.Positioner>
			</ContextMenu.Portal>
		</ContextMenu.Root>
	);
}

function Terms({ target, onTerm }: { target: NonNullable<Props["target"]>; onTerm: (term: string) => void }) {
	const { row, column } = target;
	return (
		<ContextMenu.Group>
			<ContextMenu.GroupLabel className={menu.label ?? ""}>
				Filter by #{count(row.seq)}
			</ContextMenu.GroupLabel>
			{quickTerms(row, column).flatMap((term) =>
				["", "-"].map((sign) => (
					<ContextMenu.Item key={sign + term} className={menu.item ?? ""} onClick={() => onTerm(sign + term)}>
						{sign === "" ? "Only" : "Not"}
						<span className="mono trunc">
							<Visible text={term} />
						</span>
					</ContextMenu.Item>
				)),
			)}
		</ContextMenu.Group>
	);
}
