import { Dialog } from "@base-ui/react/dialog";
import { MOD } from "../components/keys";
import css from "./App.module.css";

const KEYS: readonly [keys: string, does: string][] = [
	[`${MOD} Enter`, "Send the request, or connect"],
	["/", "Filter the timeline"],
	["Esc", "Close, clear the selection, leave the filter"],
	["j k ↓ ↑", "Next, previous row"],
	["Enter o", "Open the frame's detail"],
	["g g / G", "First row / tail"],
	["p", "Jump to the pair"],
	["f", "Follow the tail, on or off"],
	["y / Y", "Copy laid out / as received"],
	["1 2 3 4", "View of the detail"],
	["Shift T", "Maximise the timeline"],
	[`${MOD} 1…9`, "Server n"],
	[`${MOD} Shift R`, "Restart the server"],
	["F6 Shift F6", "Next, previous pane"],
	["?", "This list"],
];

/** The keys that there are. */
export function Shortcuts({ open, onClose }: { open: boolean; onClose: () => void }) {
	return (
		<Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
			<Dialog.Portal>
				<Dialog.Backdrop className={css.backdrop} />
				<Dialog.Popup className={css.popup}>
					<Dialog.Title className={css.popupTitle}>Keyboard</Dialog.Title>
					<dl className={css.keys}>
						{KEYS.map(([keys, does]) => (
							<div key={keys}>
								<dt>
									<kbd>{keys}</kbd>
								</dt>
								<dd>{does}</dd>
							</div>
						))}
					</dl>
					<p className="dim xs">Single letters work when no text field has the focus.</p>
				</Dialog.Popup>
			</Dialog.Portal>
		</Dialog.Root>
	);
}
