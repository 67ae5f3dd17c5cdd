import { useEffect } from "react";
import type { Theme } from "../model/settings";

/** Puts the theme on `<html>`: the setting, or what the system prefers. */
export function useTheme(theme: Theme): void {
	useEffect(() => {
		const dark = window.matchMedia("(prefers-color-scheme: dark)");
		const apply = () => {
			const chosen = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
			document.documentElement.dataset.theme = chosen;
		};
		apply();
		dark.addEventListener("change", apply);
		return () => dark.removeEventListener("change", apply);
	}, [theme]);
}
