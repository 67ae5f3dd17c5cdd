import type { Row } from "../../model/form/rows";
import { facts, typeWord } from "../../model/form/words";
import { visible } from "../../model/visible";
import { Visible } from "../Visible";
import css from "./Form.module.css";

/** What the schema says about a field, whole. */
export function About({ row }: { row: Row | null }) {
	if (!row || row.role === "root") return null;
	const { shape } = row;
	const description = shape.description ?? row.inner.description;
	const said = facts(
		row.inner === shape ? shape : { ...row.inner, default: shape.default, examples: shape.examples },
	);
	return (
		<div className={css.about}>
			<p>
				<b className="mono">{visible(row.name)}</b> <span className="dim">{typeWord(shape)}</span>
				{shape.title !== null && shape.title !== row.name && <> · {visible(shape.title)}</>}
				{row.required && <span className="dim"> · required</span>}
				{row.extra && <span className="dim"> · the schema does not name it</span>}
				{said.map(({ keyword, value }) => (
					<span key={keyword} className="dim">
						{" "}
						· {keyword} <span className={`mono ${css.fact}`}>{visible(value)}</span>
					</span>
				))}
			</p>
			{description !== null && (
				<p className={css.text}>
					<Visible text={description} lines />
				</p>
			)}
		</div>
	);
}
