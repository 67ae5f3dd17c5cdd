import { useMemo } from "react";
import { promptCall } from "../../model/callable";
import { groupNames } from "../../model/groups";
import { NoOffers } from "../offers/NoOffers";
import { useOffers } from "../offers/useOffers";
import { CallPane, type TabProps } from "../tools/CallPane";
import { ListProblems } from "../tools/CatalogBar";
import css from "../tools/Tools.module.css";

/** The prompts of a session: their arguments, and the messages that come of them. */
export function PromptsPane(props: TabProps) {
	const offers = useOffers(props.app, props.row, "prompts");
	const items = useMemo(() => offers.items.map(promptCall), [offers.items]);
	const groups = useMemo(() => groupNames(items.map(({ name }) => name)), [items]);
	return (
		<div className={css.tab}>
			<ListProblems method={offers.method} problems={offers.problems} />
			<CallPane
				{...props}
				tab="prompts"
				noun="prompt"
				items={items}
				groups={groups}
				empty={<NoOffers offers={offers} row={props.row} what="prompts" />}
			/>
		</div>
	);
}
