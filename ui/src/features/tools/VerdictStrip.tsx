import { Icon } from "../../components/Icon";
import { FailIcon, OkIcon, WarnIcon } from "../../components/icons";
import type { ExchangeRow } from "../../ipc/bindings/ExchangeRow";
import type { OutcomeRow } from "../../ipc/bindings/OutcomeRow";
import type { TransportName } from "../../ipc/bindings/TransportName";
import { type Cell, type Checked, cells } from "../../model/outcome";
import css from "./Tools.module.css";

const ICONS = { ok: OkIcon, error: FailIcon, warning: WarnIcon } as const;

interface Props {
	outcome: OutcomeRow;
	transport: TransportName;
	exchange: ExchangeRow | null;
	checked: Checked | null;
}

/** Whose fault it is: one cell per layer. */
export function VerdictStrip({ outcome, transport, exchange, checked }: Props) {
	return (
		<dl className={css.verdict}>
			{cells(outcome, transport, exchange, checked).map((cell) => (
				<div key={cell.layer} data-layer={cell.layer.split(":")[0]}>
					<dt className="trunc">{cell.layer}</dt>
					<dd className={cell.tone === "none" ? "dim" : `sev-${cell.tone}`}>
						<Tone tone={cell.tone} />
						<span className="trunc" title={cell.text}>
							{cell.text}
						</span>
					</dd>
				</div>
			))}
		</dl>
	);
}

function Tone({ tone }: { tone: Cell["tone"] }) {
	return tone === "none" ? null : <Icon of={ICONS[tone]} small />;
}
