import { useEffect, useState } from "react";
import { ClockIcon, HttpIcon, StdioIcon, ToolIcon } from "../components/icons";
import { MOD } from "../components/keys";
import type { PaletteGroup, PaletteItem } from "../features/palette/Palette";
import type { ToolRow } from "../ipc/bindings/ToolRow";
import type { AppStore } from "../model/appStore";
import { itemKey } from "../model/drafts";
import { when } from "../model/format";
import { titleOf } from "../model/sessionList";
import { visible } from "../model/visible";
import type { Command } from "./commands";

/** What the palette offers while it is open. */
export function usePaletteGroups(app: AppStore, open: boolean, commands: readonly Command[]): PaletteGroup[] {
	const tools = useTools(app, open);
	if (!open) return [];
	const server = app.serverRow;
	return [
		{ title: "Servers", items: app.servers.map((row, i) => serverItem(app, row.id, i)) },
		{
			title: `Tools in ${visible(server?.name ?? "this session")}`,
			items: tools.map((tool, i) => toolItem(app, tool, i)),
		},
		{
			title: "Commands",
			items: commands
				.filter((command) => !command.hidden)
				.map(({ name, icon, keys, run }) => ({ id: name, label: name, icon, keys, run })),
		},
		{
			title: "Sessions",
			items: app.sessions.map((row) => ({
				id: row.id,
				label: titleOf(row),
				icon: ClockIcon,
				detail: when(row.started_us, Date.now() * 1000),
				run: () => app.selectSession(row.id),
			})),
		},
	];
}

function serverItem(app: AppStore, id: string, place: number): PaletteItem {
	const row = app.servers[place];
	return {
		id,
		label: row?.name ?? "",
		icon: row?.transport === "stdio" ? StdioIcon : HttpIcon,
		detail: row?.target,
		keys: place < 9 ? `${MOD} ${place + 1}` : undefined,
		run: () => app.selectServer(id),
	};
}

function toolItem(app: AppStore, tool: ToolRow, place: number): PaletteItem {
	return {
		id: itemKey(place, tool.name),
		label: tool.name,
		icon: ToolIcon,
		mono: true,
		detail: tool.title ?? tool.description ?? undefined,
		warning: tool.problem === null ? (tool.destructive ? "destructive" : undefined) : "broken",
		run: () => {
			const session = app.open?.session;
			app.show("session");
			if (session !== undefined) app.drafts.choose("tools", app.server ?? session, itemKey(place, tool.name));
		},
	};
}

/** The tools of the open session, as far as they are known without asking the server. */
function useTools(app: AppStore, open: boolean): readonly ToolRow[] {
	const [tools, setTools] = useState<readonly ToolRow[]>([]);
	const session = app.open?.session;
	useEffect(() => {
		setTools([]);
		if (!open || session === undefined) return;
		let live = true;
		app.backend
			.call("list_catalog", { session, refresh: false })
			.then((row) => live && setTools(row.tools))
			.catch(() => undefined);
		return () => {
			live = false;
		};
	}, [app, open, session]);
	return tools;
}
