import { useMemo, useSyncExternalStore } from "react";
import { useKeys } from "../components/keys";
import { Split } from "../components/Split";
import { useStore } from "../components/useStore";
import { FrameDetail } from "../features/frame/FrameDetail";
import { type Actions, Timeline } from "../features/timeline/Timeline";
import { type AppStore, isUp } from "../model/appStore";
import { sentence, words } from "../model/errors";
import { editAndResend } from "../model/resend";
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
	const narrow = useNarrow();
	const { detail: open } = session.dock;
	const actions = useActions({ app, session, maximised, onMaximise });
	useKeys({
		Escape: () => {
			if (session.selected) {
				session.clearSelection();
				session.show({ detail: true });
				return true;
			}
			if (session.filter === "") return false;
			void session.open("");
			return true;
		},
	});
	const close = () => {
		session.show({ detail: false });
		document.querySelector<HTMLElement>('[role="grid"]')?.focus();
	};
	const timeline = (
		<Timeline
			session={session}
			row={app.session}
			settings={settings}
			maximised={maximised}
			actions={actions}
		/>
	);
	const detail = open && session.selected !== null && (
		<FrameDetail
			backend={app.backend}
			session={session}
			transport={app.session?.transport ?? "stdio"}
			onClose={close}
			onEdit={actions.onEdit}
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

/** What the timeline asks of the app. */
function useActions({ app, session, maximised, onMaximise }: Omit<Props, "settings">): Actions {
	// A past session is not restarted over the head of a live one.
	const server = app.serverRow;
	const restartable = server && !(server.session && isUp(server.session)) ? server.id : null;
	return useMemo(() => {
		const { backend } = app;
		const { session: id } = session;
		const cancel = async (seq: number | null) => {
			const waiting = seq === null ? await backend.call("list_pending", { session: id }) : [];
			const which = seq ?? waiting.at(-1)?.seq;
			if (which === undefined) session.tell("No call is running");
			else await backend.call("cancel_request", { session: id, seq: which });
		};
		const tried = (work: Promise<void>) =>
			void work.catch((error: unknown) => session.tell(sentence(words(error))));
		return {
			onMaximise,
			onRestart: restartable === null ? undefined : () => void app.restart(restartable),
			onEdit: (seq) => {
				// What is edited lies under the maximised timeline.
				if (maximised) onMaximise();
				void editAndResend(app, id, seq);
			},
			onCancel: (seq) => tried(cancel(seq)),
			onExport: () => void app.exporting.open([id]),
			onSearchAll: (filter) => {
				app.show("sessions");
				void app.list.find(filter);
				void app.search.start(filter);
			},
		};
	}, [app, session, maximised, onMaximise, restartable]);
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
