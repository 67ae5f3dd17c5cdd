import { useEffect, useMemo } from "react";
import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import { ANY_URI, type Callable, resourceCall, templateCall } from "../../model/callable";
import { sentence } from "../../model/errors";
import { at, readJson, text } from "../../model/json/tree";
import type { OfferList } from "../../model/offers";
import { hasSkills, type SkillList } from "../../model/skills";
import { NoOffers } from "../offers/NoOffers";
import { Pager } from "../offers/Pager";
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
	const skills = useSkills(app, row, resources.connected);
	const server = app.server ?? row.id;
	const asked = drafts.chosen("resources", server)?.endsWith(ANY_URI.name) === true;
	const pages = useStore(app.pages);
	const listed = pages.of(row.id, "resources")?.items ?? resources.items;
	const patterns = pages.of(row.id, "templates")?.items ?? templates.items;
	const { items, groups } = useMemo(
		() => list(listed.map(resourceCall), patterns.map(templateCall), skills.calls),
		[listed, patterns, skills.calls],
	);
	const pager = { app, row, session: props.session };
	const none = items.length === 1 && !asked;
	return (
		<div className={css.tab}>
			<ListProblems method={resources.method} problems={none ? [] : problemsOf(resources)} />
			<ListProblems method={templates.method} problems={problemsOf(templates)} />
			<ListProblems method="skills/list" problems={skills.problems} />
			<CallPane
				{...props}
				tab="resources"
				noun="resource"
				items={none ? [] : items}
				groups={none ? [] : groups}
				below={
					<>
						<Pager {...pager} what="resources" total={resources.total} />
						<Pager {...pager} what="templates" total={templates.total} />
						<SubscriptionList app={app} session={props.session} row={row} />
					</>
				}
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

/** What is wrong with a list, and why it could not be read. */
function problemsOf({ failure, problems }: OfferList): readonly string[] {
	return failure === null ? problems : [sentence(failure), ...problems];
}

type Calls = ReturnType<typeof resourceCall>[];

/** Resources, templates, skills, each under its heading; last what is not listed. */
function list(resources: Calls, templates: Calls, skills: readonly Callable[]) {
	const items = [...resources, ...templates, ...skills, ANY_URI];
	const places = items.map((_, i) => i);
	const listed = resources.length + templates.length;
	const groups = [
		{ title: "Resources", places: places.slice(0, resources.length) },
		{ title: "Templates", places: places.slice(resources.length, listed) },
		{ title: "Skills", places: places.slice(listed, -1) },
		{ title: "", places: places.slice(-1) },
	];
	return { items, groups };
}

const NO_SKILLS: SkillList = { calls: [], problems: [] };

/** Reads the skills of a server that declares them, once in a session. */
function useSkills(app: AppStore, row: SessionRow, connected: boolean): SkillList {
	const skills = useStore(app.skills);
	const infos = useStore(app.infos);
	const known = skills.of(row.id);
	const due = connected && known === null && hasSkills(infos.of(row.id));
	useEffect(() => {
		if (due) void skills.read(row.id);
	}, [due, skills, row.id]);
	return known ?? NO_SKILLS;
}
