import type { ReactNode } from "react";
import css from "./Server.module.css";

interface Props {
	title: string;
	/** At the right of the title. */
	end?: ReactNode;
	children: ReactNode;
}

/** A part of the page under its title. */
export function Section({ title, end, children }: Props) {
	return (
		<section className={css.section} aria-label={title}>
			<header className={css.title}>
				<h3>{title}</h3>
				<span className="grow" />
				{end}
			</header>
			{children}
		</section>
	);
}

/** Facts in two columns; those without a value are left out. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
	return (
		<dl className={css.facts}>
			{of.map(([name, value]) =>
				value === null || value === "" ? null : (
					<div key={name}>
						<dt>{name}</dt>
						<dd>{value}</dd>
					</div>
				),
			)}
		</dl>
	);
}
