import { TESTID } from "../../app/testids";
import { Visible } from "../../components/Visible";
import type { ExportPreview } from "../../ipc/secrets";
import { count } from "../../model/format";
import { visible } from "../../model/visible";
import css from "./Export.module.css";

/** What the rules change, place by place: before and after. */
export function Samples({ preview, stale }: { preview: ExportPreview | null; stale: boolean }) {
	const samples = preview?.samples ?? [];
	const all = preview?.rules.reduce((sum, { hits }) => sum + hits, 0) ?? 0;
	return (
		<section
			className={`${css.samples} ${stale ? css.stale : ""}`}
			aria-label="What changes"
			aria-busy={stale}
		>
			<header className="phead">
				<h3>What changes</h3>
				{samples.length < all && (
					<span className="dim">
						the first {count(samples.length)} of {count(all)} places
					</span>
				)}
			</header>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and holds nothing else that takes the focus */}
			<section className={css.scroll} tabIndex={0} aria-label="Places that change">
				{preview && samples.length === 0 && (
					<p className="empty">No rule hits anything: all of it is exported as it was recorded.</p>
				)}
				<ul>
					{samples.map((sample, i) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a rule may hit the same text twice in one place
						<li key={i} className={css.sample} data-testid={TESTID.exportSample}>
							<p>
								{/* The description of the session has no number. */}
								<span className="mono">{sample.seq === 0 ? "session" : `#${count(sample.seq)}`}</span>
								<span className="sub trunc">{visible(sample.place)}</span>
								<span className="grow" />
								<span className="mono dim trunc" title={visible(sample.rule)}>
									{visible(sample.rule)}
								</span>
							</p>
							<p className={`mono ${css.before}`}>
								<span aria-hidden>−</span>
								<span className="vh">Before: </span>
								<span className="trunc" title={visible(sample.before)}>
									<Visible text={sample.before} />
								</span>
							</p>
							<p className={`mono ${css.after}`}>
								<span aria-hidden>+</span>
								<span className="vh">After: </span>
								<span className="trunc" title={visible(sample.after)}>
									<Visible text={sample.after} />
								</span>
							</p>
						</li>
					))}
				</ul>
			</section>
		</section>
	);
}
