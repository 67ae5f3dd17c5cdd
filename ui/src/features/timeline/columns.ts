/** The timeline's columns. */

/** Widths from `#` on; Summary takes the slack. The first grows with the numbers in it. */
export function columns(logTotal: number): string {
	const digits = String(logTotal).length;
	const number = Math.max(34, 14 + 7 * digits);
	return `${number}px 92px 66px 24px 74px 108px minmax(120px, 1fr) 40px 68px 58px 100px`;
}
