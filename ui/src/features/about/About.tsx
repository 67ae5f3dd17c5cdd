import { Dialog } from "@base-ui/react/dialog";
import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { Icon } from "../../components/Icon";
import { CloseIcon } from "../../components/icons";
import { Logo } from "../../components/Logo";
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
		<Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
			<Dialog.Portal>
				<Dialog.Backdrop className={css.backdrop ?? ""} />
				<Dialog.Popup className={css.popup ?? ""} data-own-keys data-testid={TESTID.about}>
					<header className={css.head}>
						<Logo />
						<Dialog.Title className={css.title ?? ""}>Framescope</Dialog.Title>
						<span className="mono selectable">{app.info?.version}</span>
						<CopyButton label="Copy the version" text={() => version} />
						<span className="grow" />
						<button type="button" className="btn sm" onClick={onShortcuts}>
							Keyboard and filter <kbd>?</kbd>
						</button>
						<Dialog.Close className="btn ghost sm ico" aria-label="Close" title="Close (Esc)">
							<Icon of={CloseIcon} small />
						</Dialog.Close>
					</header>
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
				</Dialog.Popup>
			</Dialog.Portal>
		</Dialog.Root>
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
