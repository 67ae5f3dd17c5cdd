import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { Icon } from "../../components/Icon";
import { OkIcon } from "../../components/icons";
import { ModalClose } from "../../components/Modal";
import type { AppStore } from "../../model/appStore";
import type { Exported } from "../../model/exporting";
import { plural } from "../../model/format";
import { visible } from "../../model/visible";
import { NewPassphrase } from "../secrets/NewPassphrase";
import css from "./Export.module.css";

/** The passphrase, and the button that writes; then what it came to. */
export function ExportFoot({ app }: { app: AppStore }) {
	const { exporting } = app;
	if (exporting.done) return <Done done={exporting.done} />;
	const { blocked, running, sessions } = exporting;
	const files = sessions.length === 1 ? "the file" : "the files";
	return (
		<footer className={css.foot}>
			<div className={css.encrypt}>
				<label className={css.check}>
					<input
						type="checkbox"
						className="check"
						checked={exporting.encrypt}
						data-testid={TESTID.exportEncrypt}
						onChange={(event) => exporting.setEncrypt(event.target.checked)}
					/>
					Encrypt with a passphrase
				</label>
				{exporting.encrypt && (
					<NewPassphrase
						first={exporting.passphrase}
						second={exporting.repeated}
						of={files}
						testId={TESTID.exportPassphrase}
						onChange={(first, second) => exporting.setPassphrase(first, second)}
					/>
				)}
			</div>
			{exporting.wrong !== null && <span className="sev-error xs">{visible(exporting.wrong)}</span>}
			<ModalClose>Cancel</ModalClose>
			<button
				type="button"
				className="btn pri"
				disabled={blocked !== null || running}
				title={blocked ?? "Asks for a place, and writes"}
				data-testid={TESTID.exportRun}
				onClick={() => void exporting.run()}
			>
				{running
					? "Exporting"
					: sessions.length === 1
						? "Export…"
						: `Export ${plural(sessions.length, "file")}…`}
			</button>
		</footer>
	);
}

function Done({ done }: { done: Exported }) {
	const { paths, encrypted, left } = done;
	const [first = ""] = paths;
	const more = paths.length > 1 ? ` and ${plural(paths.length - 1, "more file")}` : "";
	return (
		<footer className={css.foot}>
			<p className={css.done} role="status" data-testid={TESTID.exported}>
				<span className="sev-ok">
					<Icon of={OkIcon} small />
				</span>
				<span>Exported{encrypted && ", encrypted,"} to</span>
				<span className="mono trunc selectable" title={visible(paths.join("\n"))}>
					{visible(first)}
				</span>
				{more}
				{left > 0 && <span className="dim">{plural(left, "session")} not written: cancelled.</span>}
			</p>
			<CopyButton label={paths.length === 1 ? "Copy path" : "Copy paths"} text={() => paths.join("\n")} />
			<ModalClose>Close</ModalClose>
		</footer>
	);
}
