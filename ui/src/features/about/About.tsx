import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { Logo } from "../../components/Logo";
import { Modal, ModalHead, ModalTitle } from "../../components/Modal";
import { useStore } from "../../components/useStore";
import type { AppStore } from "../../model/appStore";
import { words } from "../../model/errors";
import { type Licence, readLicences } from "../../model/licences";
import css from "./About.module.css";
import { Licences } from "./Licences";

interface Props {
	app: AppStore;
	open: boolean;
	onClose: () => void;
	/** Shows the list of keys in its place. */
	onShortcuts: () => void;
}

/** What this app is: its version, where its data lies, and what it is built from. */
export function About({ app, open, onClose, onShortcuts }: Props) {
	useStore(app);
	const folder = app.info?.dataDir ?? "";
	const version = `Framescope ${app.info?.version ?? ""}`;
	return (
		<Modal open={open} onClose={onClose} className={css.popup} testId={TESTID.about} ownKeys>
			<ModalHead>
				<Logo />
				<ModalTitle>Framescope</ModalTitle>
				<span className="mono selectable">{app.info?.version}</span>
				<CopyButton label="Copy the version" text={() => version} />
				<span className="grow" />
				<button type="button" className="btn sm" onClick={onShortcuts}>
					Keyboard and filter <kbd>?</kbd>
				</button>
			</ModalHead>
			<dl className={css.facts}>
				<div>
					<dt>Licence</dt>
					<dd>Apache-2.0</dd>
				</div>
				<div>
					<dt>Data folder</dt>
					<dd className={css.folder}>
						<span className="mono trunc selectable" title={folder}>
							{folder}
						</span>
						<CopyButton label="Copy path" text={() => folder} />
					</dd>
				</div>
			</dl>
			{open && <Built />}
		</Modal>
	);
}

/** What it is built from. */
function Built() {
	const [packages, setPackages] = useState<readonly Licence[] | null>(null);
	const [failure, setFailure] = useState<string | null>(null);
	useEffect(() => {
		readLicences().then(setPackages, (error: unknown) => setFailure(words(error)));
	}, []);
	if (failure !== null) {
		return (
			<p className="strip err" role="alert">
				This app cannot read its list of licences: {failure}
			</p>
		);
	}
	return packages && <Licences packages={packages} />;
}
