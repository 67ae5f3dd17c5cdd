import { useMemo } from "react";
import { useStore } from "../../components/useStore";
import { promptCall } from "../../model/callable";
import { groupNames } from "../../model/groups";
import { NoOffers } from "../offers/NoOffers";
import { Pager } from "../offers/Pager";
import { useOffers } from "../offers/useOffers";
import { CallPane, type TabProps } from "../tools/CallPane";
import { ListProblems } from "../tools/CatalogBar";
import css from "../tools/Tools.module.css";

/** The prompts of a session: their arguments, and the messages that come of them. */
export function PromptsPane(props: TabProps) {
	const offers = useOffers(props.app, props.row, "prompts");
	const { app, row, session } = props;
	const paged = useStore(app.pages).of(row.id, "prompts")?.items;
	const listed = paged ?? offers.items;
	const items = useMemo(() => listed.map(promptCall), [listed]);
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
				below={<Pager app={app} session={session} row={row} what="prompts" total={offers.total} />}
				empty={<NoOffers offers={offers} row={props.row} what="prompts" />}
			/>
		</div>
	);
}
