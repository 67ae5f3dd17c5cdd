import { useEffect, useState } from "react";
import { Split } from "../../components/Split";
import { useStore } from "../../components/useStore";
import type { Backend } from "../../ipc/backend";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { ToolRow } from "../../ipc/bindings/ToolRow";
import type { AppStore } from "../../model/appStore";
import type { SessionStore } from "../../model/sessionStore";
import type { Settings } from "../../model/settings";
import { Capabilities } from "./Capabilities";
import { ClientFace } from "./ClientFace";
import { Frames } from "./Frames";
import { Identity } from "./Identity";
import { Ping } from "./Ping";
import { Roots } from "./Roots";
import css from "./Server.module.css";
import { Stateless } from "./Stateless";

interface Props {
	app: AppStore;
	settings: Settings;
	session: SessionStore;
	row: SessionRow;
	/** Some of them can be called without harm. */
	tools: readonly ToolRow[];
}

const PANES = ["about", "frames"] as const;

/** The server as it describes itself, against what was seen of it; and what this app tells it. */
export function ServerPane({ app, settings, session, row, tools }: Props) {
	const infos = useStore(app.infos);
	useStore(settings);
	const { backend } = app;
	const info = infos.of(row.id);
	const answer = useRecord(backend, row.id, info?.answer ?? null);
	const request = useRecord(backend, row.id, info?.request ?? null);
	const other = useOtherEra(app, row);
	const told = row.conn.state === "connected" && !row.elsewhere && row.era === "legacy";
	const own = (
		<>
			{app.server !== null && <Roots key={app.server} backend={backend} server={app.server} told={told} />}
			{app.server !== null && (
				<ClientFace key={`client ${app.server}`} backend={backend} server={app.server} />
			)}
			{row.era === "modern" && (
				<Stateless key={`stateless ${row.id}`} app={app} session={session} row={row} tools={tools} />
			)}
			<Ping key={row.id} backend={backend} row={row} />
		</>
	);
	if (!info) {
		return (
			<div className={css.page}>
				<p className="empty dim">
					{row.conn.state === "connecting"
						? "The server has not introduced itself yet."
						: "This session’s log holds no introduction: neither initialize nor server/discover was answered."}
				</p>
				{own}
			</div>
		);
	}
	return (
		<Split
			direction="horizontal"
			label="Resize columns"
			layout={settings.layout("server", PANES)}
			onLayout={(layout) => settings.setLayout("server", layout)}
			panes={[
				{
					id: "about",
					size: "62%",
					min: "380px",
					children: (
						<div className={css.page}>
							<Identity row={row} info={info} answer={answer} />
							<Capabilities
								key={row.id}
								backend={backend}
								session={row.id}
								declared={info.capabilities}
								other={other}
							/>
							{own}
						</div>
					),
				},
				{
					id: "frames",
					size: "38%",
					min: "260px",
					children: <Frames key={info.answer} app={app} session={session} info={info} request={request} />,
				},
			]}
		/>
	);
}

/** A record of a session by its number. */
function useRecord(backend: Backend, session: string, seq: number | null): RecordRow | null {
	const [record, setRecord] = useState<RecordRow | null>(null);
	useEffect(() => {
		if (seq === null) return;
		let live = true;
		backend
			.call("get_record", { session, seq })
			.then((row) => live && setRecord(row))
			.catch(() => undefined);
		return () => {
			live = false;
		};
	}, [backend, session, seq]);
	return record?.seq === seq ? record : null;
}

/** What the server declares in the other era: from its newest session in that era. */
function useOtherEra(app: AppStore, row: SessionRow) {
	const other = app.sessions.find(
		({ server_id, era }) =>
			server_id === row.server_id && era !== null && row.era !== null && era !== row.era,
	);
	const id = row.server_id === null ? undefined : other?.id;
	useEffect(() => {
		if (id !== undefined) void app.infos.read(id);
	}, [app, id]);
	const info = id === undefined ? null : app.infos.of(id);
	return info && other?.era ? { era: other.era, declared: info.capabilities } : null;
}
