import { TESTID } from "../../app/testids";
import { Modal, ModalHead, ModalTitle } from "../../components/Modal";
import { useStore } from "../../components/useStore";
import type { AppStore } from "../../model/appStore";
import { sentence } from "../../model/errors";
import type { ExportStore } from "../../model/exporting";
import { count, plural } from "../../model/format";
import { titleOf } from "../../model/sessionList";
import { visible } from "../../model/visible";
import css from "./Export.module.css";
import { ExportFoot } from "./ExportFoot";
import { RuleLists } from "./RuleLists";
import { Samples } from "./Samples";

/** The export of one or more sessions: what is left out, shown before anything is written. */
export function ExportDialog({ app }: { app: AppStore }) {
	const { exporting } = app;
	useStore(exporting);
	return (
		<Modal
			open={exporting.isOpen}
			onClose={() => exporting.close()}
			className={css.popup}
			testId={TESTID.exportDialog}
			ownKeys
		>
			<ModalHead>
				<ModalTitle>{titleWords(app)}</ModalTitle>
				<span className="dim trunc" role="status">
					{previewWords(exporting)}
				</span>
				<span className="grow" />
				{exporting.sessions.length > 1 && <Shown app={app} />}
			</ModalHead>
			{exporting.failure !== null && (
				<div className="strip err" role="alert">
					<span className="selectable">{visible(sentence(exporting.failure))}</span>
				</div>
			)}
			<div className={css.body}>
				<RuleLists exporting={exporting} />
				<Samples preview={exporting.preview} stale={exporting.looking} />
			</div>
			<ExportFoot app={app} />
		</Modal>
	);
}

function titleOfId(app: AppStore, id: string): string {
	const known = [app.session, ...app.list.rows, ...app.sessions].find((row) => row?.id === id);
	return known ? visible(titleOf(known)) : "session";
}

function titleWords(app: AppStore): string {
	const { sessions } = app.exporting;
	return `Export ${sessions.length === 1 ? titleOfId(app, sessions[0] ?? "") : plural(sessions.length, "session")}`;
}

function previewWords({ preview, looking }: ExportStore): string {
	if (!preview) return looking ? "Looking through its records" : "";
	return preview.changed === 0
		? `None of ${plural(preview.records, "record")} is changed`
		: `${count(preview.changed)} of ${plural(preview.records, "record")} ${preview.changed === 1 ? "is" : "are"} changed`;
}

/** Which of the sessions the preview is of. */
function Shown({ app }: { app: AppStore }) {
	const { exporting } = app;
	return (
		<label className={css.shown}>
			<span className="dim">Preview of</span>
			<select
				className={css.select}
				value={exporting.shown}
				onChange={(event) => exporting.show(Number(event.target.value))}
			>
				{exporting.sessions.map((id, i) => (
					<option key={id} value={i}>
						{titleOfId(app, id)}
					</option>
				))}
			</select>
		</label>
	);
}
