import { useMemo } from "react";
import { useStore } from "../../components/useStore";
import { ANY_URI, resourceCall, templateCall } from "../../model/callable";
import { at, readJson, text } from "../../model/json/tree";
import { NoOffers } from "../offers/NoOffers";
import { useOffers } from "../offers/useOffers";
import { CallPane, type TabProps } from "../tools/CallPane";
import { ListProblems } from "../tools/CatalogBar";
import css from "../tools/Tools.module.css";
import { SubscribeButton } from "./SubscribeButton";
import { SubscriptionList } from "./SubscriptionList";

/** The resources and templates of a session, and any other URI; what is read of them. */
export function ResourcesPane(props: TabProps) {
	const { app, row } = props;
	const drafts = useStore(app.drafts);
	const resources = useOffers(app, row, "resources");
	const templates = useOffers(app, row, "templates");
	const server = app.server ?? row.id;
	const asked = drafts.chosen("resources", server)?.endsWith(ANY_URI.name) === true;
	const { items, groups } = useMemo(
		() => list(resources.items.map(resourceCall), templates.items.map(templateCall)),
		[resources.items, templates.items],
	);
	const none = items.length === 1 && !asked;
	return (
		<div className={css.tab}>
			<ListProblems method={resources.method} problems={resources.problems} />
			<ListProblems method={templates.method} problems={templates.problems} />
			<CallPane
				{...props}
				tab="resources"
				noun="resource"
				items={none ? [] : items}
				groups={none ? [] : groups}
				below={<SubscriptionList app={app} session={props.session} row={row} />}
				beside={(params) => (
					<SubscribeButton app={app} row={row} uri={text(at(readJson(params), "uri")) ?? ""} />
				)}
				empty={
					<NoOffers
						offers={resources}
						row={row}
						what="resources"
						more={
							<button
								type="button"
								className="btn"
								onClick={() => drafts.choose("resources", server, ANY_URI.name)}
							>
								Read a URI
							</button>
						}
					/>
				}
			/>
		</div>
	);
}

type Calls = ReturnType<typeof resourceCall>[];

/** Resources, then templates, each under its heading where there are both; last what is not listed. */
function list(resources: Calls, templates: Calls) {
	const items = [...resources, ...templates, ANY_URI];
	const places = items.map((_, i) => i);
	const groups = [
		{ title: "Resources", places: places.slice(0, resources.length) },
		{ title: "Templates", places: places.slice(resources.length, -1) },
		{ title: "", places: places.slice(-1) },
	];
	return { items, groups };
}
