import { type RefObject, useLayoutEffect } from "react";
import { ROW } from "../../components/useWindow";

/**
 * Gives the rows in `area` the height of whole ones (`--room`), so that at the tail none is cut off under the head. What
 * `below` needs is theirs first; what is left over lies at the end.
 */
export function useWholeRows(
	area: RefObject<HTMLElement | null>,
	below: RefObject<HTMLElement | null>,
): void {
	useLayoutEffect(() => {
		const [outer, inner] = [area.current, below.current];
		if (!outer || !inner) return;
		const measure = () => {
			const rows = Math.max(2, Math.floor((outer.clientHeight - inner.offsetHeight) / ROW));
			outer.style.setProperty("--room", `${rows * ROW}px`);
		};
		const sizes = new ResizeObserver(measure);
		sizes.observe(outer);
		sizes.observe(inner);
		measure();
		return () => sizes.disconnect();
	}, [area, below]);
}
