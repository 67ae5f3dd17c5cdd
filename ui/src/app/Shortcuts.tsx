import { MOD } from "../components/keys";
import { Modal, ModalHead, ModalTitle } from "../components/Modal";
import css from "./App.module.css";
import type { Command } from "./commands";

type Keys = readonly (readonly [keys: string, does: string])[];

/** Keys that belong to a part of the window, and terms of the filter. Keys of the window itself come from its commands. */
const PARTS: readonly { title: string; keys: Keys }[] = [
	{
		title: "Window",
		keys: [
			[`${MOD} 1…9`, "Server n"],
			["F6 / Shift F6", "Next, previous pane"],
			["Esc", "Close, clear the selection, leave the filter, restore"],
		],
	},
	{
		title: "Tools and forms",
		keys: [
			[`${MOD} Enter`, "Send; connect; confirm a pasted command"],
			[`${MOD} P`, "Find a tool; Enter goes to its form"],
			[`${MOD} J`, "Form ⇄ JSON"],
			["Alt N / O / E", "Field: null, omit, empty"],
			["Alt D", "Field: take the default"],
			["Alt ↑ / ↓", "Move an item of a list"],
			["Shift F10", "Field: all that it may hold"],
		],
	},
	{
		title: "Filter",
		keys: [
			["dir:c2s", "Direction; s2c is the other"],
			["kind:error,stderr", "One of several kinds; -kind: for all others"],
			["method:tools/*", "Method or pattern"],
			["status:pending", "ok, error, timeout, 404, 5xx, -32602 …"],
			["id: conn:", "Request id; number of the process or wire"],
			["size:>1k dur:1s..5s", "Bytes; time to the answer"],
			["at:14:02..14:05", "Time of day, date, or last 5m"],
			["has:late", "finding, crash, orphan, redacted …"],
			["server: tag: rev:", "Sessions; also origin: after: before: pinned:"],
		],
	},
	{
		title: "Timeline",
		keys: [
			["/", "Filter; Enter makes chips of it"],
			["j k ↓ ↑", "Next, previous row"],
			["n / N", "Next, previous error"],
			["g g / G", "First row / tail"],
			["Enter o", "Open the detail"],
			["1 2 3 4", "View of the detail"],
			["p", "Jump to the pair"],
			["f", "Follow the tail, on or off"],
			["h l ← →", "Fold, unfold rounds; else detail and card"],
			["y / Y", "Copy laid out / as received"],
			["e", "Edit and resend"],
			["x", "Cancel the call that runs"],
			["Shift F10", "Menu: filter by what the row says"],
		],
	},
	{
		title: "A server in the rail",
		keys: [
			["↓ ↑", "Next, previous row of the rail"],
			["c", "Connect, or stop"],
			["r", "Restart"],
			["e / d", "Edit / duplicate"],
			["Delete", "Delete; asks"],
			["Shift F10", "Menu"],
		],
	},
	{
		title: "All sessions",
		keys: [
			["/", "Filter; Enter searches all records"],
			["j k ↓ ↑", "Next, previous session or match"],
			["Enter o", "Open"],
			["Space", "Choose; Shift ↓ ↑ chooses several"],
			[`${MOD} A`, "Choose all"],
			["r F2", "Rename"],
			["t / p", "Tags / pin"],
			["Shift E", "Export"],
			["Delete", "Delete; can be undone"],
			["h l ← →", "Fold, unfold the matches of a session"],
			["Shift ← →", "In the head: width of the column"],
		],
	},
];

interface Props {
	open: boolean;
	commands: readonly Command[];
	onClose: () => void;
}

/** The keys that there are. */
export function Shortcuts({ open, commands, onClose }: Props) {
	const own: Keys = commands.flatMap(({ keys, name }) => (keys === undefined ? [] : [[keys, name] as const]));
	return (
		<Modal open={open} onClose={onClose} className={css.popup}>
			<ModalHead>
				<ModalTitle>Keyboard and filter</ModalTitle>
				<span className="dim xs">Single letters work when no text field has the focus.</span>
				<span className="grow" />
			</ModalHead>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and holds nothing else that takes the focus */}
			<div className={css.keysBody} tabIndex={0}>
				<div className={css.keys}>
					{PARTS.map(({ title, keys }) => (
						<section key={title} aria-label={title}>
							<h2>{title}</h2>
							<dl>
								{[...(title === "Window" ? own : []), ...keys].map(([key, does]) => (
									<div key={`${key} ${does}`}>
										<dt>
											<kbd>{key}</kbd>
										</dt>
										<dd className="trunc" title={does}>
											{does}
										</dd>
									</div>
								))}
							</dl>
						</section>
					))}
				</div>
			</div>
		</Modal>
	);
}
