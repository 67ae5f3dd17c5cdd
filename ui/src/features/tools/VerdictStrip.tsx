import { Icon } from "../../components/Icon";
import { FailIcon, OkIcon, WarnIcon } from "../../components/icons";
import type { OutcomeRow } from "../../ipc/bindings/OutcomeRow";
import type { TransportName } from "../../ipc/bindings/TransportName";
import { type Cell, cells } from "../../model/outcome";
import css from "./Tools.module.css";

const ICONS = { ok: OkIcon, error: FailIcon, warning: WarnIcon } as const;

/** Whose fault it is: one cell per layer. */
export function VerdictStrip({ outcome, transport }: { outcome: OutcomeRow; transport: TransportName }) {
	return (
		<dl className={css.verdict}>
			{cells(outcome, transport).map((cell) => (
				<div key={cell.layer} data-layer={cell.layer}>
					<dt>{cell.layer}</dt>
					<dd className={cell.tone === "none" ? "dim" : `sev-${cell.tone}`}>
						<Tone tone={cell.tone} />
						{cell.text}
					</dd>
				</div>
			))}
		</dl>
	);
}

function Tone({ tone }: { tone: Cell["tone"] }) {
	return tone === "none" ? null : <Icon of={ICONS[tone]} small />;
}
