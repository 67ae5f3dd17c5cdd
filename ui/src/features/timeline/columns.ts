/** The timeline's columns. */

/** Widths from `#` on; Summary takes the slack. The first grows with the numbers in it. */
export function columns(logTotal: number): string {
	const digits = String(logTotal).length;
	const number = Math.max(34, 14 + 7 * digits);
	return `${number}px 98px 72px 24px 74px 118px minmax(120px, 1fr) 40px 70px 60px 100px`;
}
