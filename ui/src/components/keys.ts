import { useEffect, useRef } from "react";

/** What a key does; false lets it through. */
export type KeyAction = (event: KeyboardEvent) => boolean | undefined;

/** Whether the user is typing: single letters are then text. */
export function typing(target: EventTarget | null): boolean {
	if (!(target instanceof HTMLElement)) return false;
	return target.isContentEditable || target.matches("input, textarea, select");
}

/** Where the keys of the window do not reach: a dialog over it, through which nothing may be sent. */
const OWN_KEYS = "[data-own-keys]";

/**
 * Keys of the window while the component is there, by name: `j`, `G`, `Escape`, `Mod+Enter`, `Shift+T`. Those without
 * `Mod` and other than `Escape` and function keys work only when no text field has the focus.
 */
export function useKeys(actions: Record<string, KeyAction>): void {
	const current = useRef(actions);
	current.current = actions;
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (event.isComposing || (event.target instanceof Element && event.target.closest(OWN_KEYS))) return;
			const name = keyName(event);
			// A separator takes every Enter for itself, also the one with Ctrl that sends.
			if (event.defaultPrevented && !(name.startsWith("Mod+") && onSeparator(event.target))) return;
			const action = current.current[name];
			if (!action) return;
			const always = name.startsWith("Mod+") || /^(Shift\+)?F\d+$/.test(name) || name === "Escape";
			if (!always && typing(event.target)) return;
			if (action(event) !== false) event.preventDefault();
		};
		window.addEventListener("keydown", onKey);
		return () => window.removeEventListener("keydown", onKey);
	}, []);
}

function onSeparator(target: EventTarget | null): boolean {
	return target instanceof Element && target.getAttribute("role") === "separator";
}

function keyName(event: KeyboardEvent): string {
	const mod = event.ctrlKey || event.metaKey ? "Mod+" : "";
	const letter = event.key.length === 1;
	// A shifted letter is its capital; named with Shift all the same where both are common in the list of keys.
	const shift = event.shiftKey && !letter ? "Shift+" : "";
	return `${mod}${event.altKey ? "Alt+" : ""}${shift}${event.key}`;
}

/** `Ctrl` or `⌘`, as this system writes it. */
export const MOD = /Mac/.test(navigator.platform) ? "⌘" : "Ctrl";
