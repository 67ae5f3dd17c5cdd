import { useState, useSyncExternalStore } from "react";
import { useKeys } from "../components/keys";
import { Split } from "../components/Split";
import { useStore } from "../components/useStore";
import { FrameDetail } from "../features/frame/FrameDetail";
import { Timeline } from "../features/timeline/Timeline";
import { type AppStore, isUp } from "../model/appStore";
import type { SessionStore } from "../model/sessionStore";
import type { Settings } from "../model/settings";
import css from "./App.module.css";

interface Props {
	app: AppStore;
	settings: Settings;
	session: SessionStore;
	maximised: boolean;
	onMaximise: () => void;
}

const PANES = ["timeline", "detail"] as const;

/** The log and the selected frame beside it; in a narrow window the frame lies over the log's right half. */
export function Dock({ app, settings, session, maximised, onMaximise }: Props) {
	useStore(session);
	useStore(settings);
	const [open, setOpen] = useState(true);
	const narrow = useNarrow();
	// A past session is not restarted over the head of a live one.
	const server = app.serverRow;
	const restartable = server && !(server.session && isUp(server.session)) ? server : null;
	useKeys({
		Escape: () => {
			if (!session.selected) return false;
			setOpen(true);
			session.clearSelection();
			return true;
		},
	});
	const close = () => {
		setOpen(false);
		document.querySelector<HTMLElement>('[role="grid"]')?.focus();
	};
	const timeline = (
		<Timeline
			session={session}
			row={app.session}
			maximised={maximised}
			onMaximise={onMaximise}
			onOpen={() => setOpen(true)}
			onRestart={restartable ? () => void app.restart(restartable.id) : undefined}
		/>
	);
	const detail = open && session.selected !== null && (
		<FrameDetail
			backend={app.backend}
			session={session}
			transport={app.session?.transport ?? "stdio"}
			onClose={close}
		/>
	);
	if (narrow) {
		return (
			<div className={css.dock}>
				{timeline}
				{detail && <div className={css.overlay}>{detail}</div>}
			</div>
		);
	}
	return (
		<Split
			direction="horizontal"
			label="Resize the frame's detail"
			layout={detail ? settings.layout("dock", PANES) : undefined}
			onLayout={(layout) => settings.setLayout("dock", layout)}
			panes={[
				{ id: "timeline", size: "70%", min: "320px", children: timeline },
				...(detail ? [{ id: "detail", size: "376px", min: "240px", children: detail }] : []),
			]}
		/>
	);
}

const NARROW = "(max-width: 1279px)";

function useNarrow(): boolean {
	return useSyncExternalStore(
		(changed) => {
			const query = window.matchMedia(NARROW);
			query.addEventListener("change", changed);
			return () => query.removeEventListener("change", changed);
		},
		() => window.matchMedia(NARROW).matches,
	);
}
