import type { LucideIcon } from "lucide-react";

/** An icon beside text, 14 px or 12 px. It says nothing by itself: the text or the button's name does. */
export function Icon({ of: Drawing, small = false }: { of: LucideIcon; small?: boolean }) {
	return <Drawing className="i" size={small ? 12 : 14} strokeWidth={1.2} absoluteStrokeWidth aria-hidden />;
}
