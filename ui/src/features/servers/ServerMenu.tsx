import { ContextMenu } from "@base-ui/react/context-menu";
import type { ReactElement, ReactNode } from "react";
import css from "./Rail.module.css";

/** Something that can be done with a server. */
export interface ServerAction {
	name: string;
	/** The key that does it while the server has the focus, as `event.key` names it. */
	key?: string;
	danger?: boolean;
	run: () => void;
}

/** The menu of a server: by the other mouse button, the menu key, or Shift F10. */
export function ServerMenu({
	actions,
	children,
}: {
	actions: readonly ServerAction[];
	children: ReactElement<Record<string, unknown>>;
}): ReactNode {
	return (
		<ContextMenu.Root>
			<ContextMenu.Trigger render={children} />
			<ContextMenu.Portal>
				<ContextMenu.Positioner className={css.positioner ?? ""}>
					<ContextMenu.Popup className={css.menu ?? ""}>
						{actions.map(({ name, key, danger = false, run }) => (
							<ContextMenu.Item
								key={name}
								className={`${css.menuItem} ${danger ? "sev-error" : ""}`}
								onClick={run}
							>
								{name}
								{key !== undefined && <kbd>{key}</kbd>}
							</ContextMenu.Item>
						))}
					</ContextMenu.Popup>
				</ContextMenu.Positioner>
			</ContextMenu.Portal>
		</ContextMenu.Root>
	);
}
