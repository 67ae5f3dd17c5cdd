import { Icon } from "../../components/Icon";
import { FailIcon, OkIcon, WarnIcon } from "../../components/icons";
import { PrettyJson } from "../../components/PrettyJson";
import type { CheckRow } from "../../ipc/bindings/CheckRow";
import { visible } from "../../model/visible";
import css from "./Tools.module.css";

/** What our check of the structured content says, above the schema that it went by. The result stands either way. */
export function SchemaCheck({ check, schema }: { check: CheckRow | null; schema: string }) {
	return (
		<div className={css.schemaCheck}>
			<ul>
				{check === null && <li className="dim">Checking.</li>}
				{check?.problems.map((problem) => (
					<li key={`${problem.path} ${problem.keyword} ${problem.missing}`} className="sev-error">
						<Icon of={FailIcon} small />
						<span className="selectable">
							<span className="mono">/structuredContent{visible(problem.path)}</span>{" "}
							{visible(problem.message)} <span className="dim">({visible(problem.keyword)})</span>
						</span>
					</li>
				))}
				{check !== null && check.problems.length === 0 && check.unchecked === null && (
					<li className="sev-ok">
						<Icon of={OkIcon} small />
						structuredContent matches outputSchema.
					</li>
				)}
				{check !== null && check.unchecked !== null && (
					<li className="sev-warning">
						<Icon of={WarnIcon} small />
						Not checked: {visible(check.unchecked)}
					</li>
				)}
			</ul>
			<p className="dim xs">outputSchema, as the server wrote it</p>
			<PrettyJson text={schema} numbers={false} foldBelow={5} label="outputSchema" />
		</div>
	);
}
