/** The mark: a frame around a pulse. */
export function Logo() {
	return (
		<svg
			width="16"
			height="16"
			viewBox="0 0 16 16"
			fill="none"
			stroke="var(--accent)"
			strokeWidth="1.4"
			aria-hidden="true"
		>
			<path d="M2 5V2.5h3M11 2.5h3V5M14 11v2.5h-3M5 13.5H2V11" />
			<path d="M4 8h2l1.2-3 2 6L10.4 8H12" />
		</svg>
	);
}
