import { type ReactNode, useCallback, useEffect } from "react";
import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { ToolRow } from "../../ipc/bindings/ToolRow";
import type { AppStore } from "../../model/appStore";
import type { Callable } from "../../model/callable";
import type { CallStore } from "../../model/calls";
import { type CallTab, chosenPlace, itemKey } from "../../model/drafts";
import type { Marks } from "../../model/frameText";
import type { Group } from "../../model/groups";
import type { SessionStore } from "../../model/sessionStore";
import type { Settings } from "../../model/settings";
import { Call } from "./Call";
import { CallList } from "./CallList";
import { ListNotes } from "./ListNotes";
import { ThreePanes } from "./ThreePanes";
import { WirePane } from "./WirePane";

/** What every tab over a session is drawn from. */
export interface TabProps {
	app: AppStore;
	calls: CallStore;
	settings: Settings;
	session: SessionStore;
	row: SessionRow;
	/** Their output schemas are what results are checked against. */
	tools: readonly ToolRow[];
}

interface Props extends TabProps {
	tab: CallTab;
	/** What is listed, in one word. */
	noun: string;
	items: readonly Callable[];
	groups: readonly Group[];
	/** Why there is nothing to call. */
	empty: ReactNode;
	/** Below the list. */
	below?: ReactNode;
	/** Beside the button that sends, for the params as they are filled in. */
	beside?: (params: string) => ReactNode;
}

const NONE: Marks = { failing: [], secret: [] };

/** A list of what can be called, the form of the chosen one, and what goes over the wire. */
export function CallPane({ tab, noun, items, groups, empty, below, beside, settings, ...wire }: Props) {
	const { app, calls, session, row } = wire;
	const drafts = useStore(app.drafts);
	useStore(settings);
	const server = app.server ?? session.session;
	const place = chosenPlace(items, drafts.chosen(tab, server));
	const call = items[place] ?? null;
	const key = call && itemKey(place, call.name);
	const options = useCallback(() => ({ defaults: settings.sendDefaults }), [settings]);
	const draft = call && key !== null ? drafts.form(tab, server, key, call, options) : null;
	useEffect(() => void calls.watch(row.id), [calls, row.id]);

	const list = (
		<div className="pane">
			<CallList
				noun={noun}
				calls={items}
				groups={groups}
				selected={place}
				onSelect={(i) => drafts.choose(tab, server, itemKey(i, items[i]?.name ?? ""))}
			/>
			<ListNotes calls={items} onChoose={(name) => drafts.choose(tab, server, name)} />
			{below}
		</div>
	);
	const panes = (form: ReactNode, over: ReactNode) => (
		<ThreePanes settings={settings} list={list} form={form} wire={over} />
	);
	if (!call || !draft) return panes(empty, <WirePane {...wire} preview={null} marks={NONE} />);
	return (
		<Call key={`${server} ${key}`} {...wire} call={call} draft={draft} beside={beside}>
			{(form, preview, marks) => panes(form, <WirePane {...wire} preview={preview} marks={marks} />)}
		</Call>
	);
}
