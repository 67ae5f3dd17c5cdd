import { Visible } from "../../components/Visible";
import type { About } from "../../model/callable";
import { visible } from "../../model/visible";
import css from "./CallAbout.module.css";

/** What an item says of itself beside its words. Icons are drawn from their own data; others are named, not fetched. */
export function CallAbout({ about: { facts, icons } }: { about: About }) {
	const drawn = icons.filter((src) => INLINE.test(src));
	const named = icons.filter((src) => !INLINE.test(src));
	if (facts.length + icons.length === 0) return null;
	return (
		<dl className={css.about}>
			{drawn.length > 0 && (
				<div className={css.fact}>
					<dt>icons</dt>
					<dd>
						{drawn.map((src) => (
							<img key={src} src={src} alt="Icon of the item" width={16} height={16} />
						))}
					</dd>
				</div>
			)}
			{[...facts, ...named.map((src) => ({ name: "icon, not loaded", value: src }))].map(
				({ name, value }) => (
					<div key={`${name} ${value}`} className={css.fact}>
						<dt>{name}</dt>
						<dd className="mono" title={visible(value)}>
							<Visible text={value} />
						</dd>
					</div>
				),
			)}
		</dl>
	);
}

const INLINE = /^data:image\/(png|jpeg|svg\+xml|webp)[;,]/i;
