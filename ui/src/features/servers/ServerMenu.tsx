import { ContextMenu } from "@base-ui/react/context-menu";
import type { ReactElement, RefObject } from "react";
import css from "./Rail.module.css";

/** Something that can be done with a server. */
export interface ServerAction {
	name: string;
	/** The key that does it while the server has the focus, as `event.key` names it. */
	key?: string;
	danger?: boolean;
	run: () => void;
}

interface Props {
	actions: readonly ServerAction[];
	/** Where the menu is put, so that it belongs to the same landmark. */
	container: RefObject<HTMLElement | null>;
	/** What has the menu. */
	children: ReactElement<Record<string, unknown>>;
}

/** The menu of a server: by the other mouse button, the menu key, or Shift F10. */
export function ServerMenu({ actions, container, children }: Props) {
	return (
		<ContextMenu.Root>
			<ContextMenu.Trigger render={children} />
			<ContextMenu.Portal container={container}>
				<ContextMenu.Positioner positionMethod="fixed" className={css.positioner ?? ""}>
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
