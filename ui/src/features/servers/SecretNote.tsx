import { Icon } from "../../components/Icon";
import { WarnIcon } from "../../components/icons";
import type { SecretStoreRow } from "../../ipc/bindings/SecretStoreRow";
import css from "./ServerForm.module.css";

/** One line below the tables: where secrets go. */
export function SecretNote({ store, secrets }: { store: SecretStoreRow | null; secrets: number }) {
	if (!store) return null;
	if (store.keychain) {
		return <p className={css.hint}>Secrets are kept in {store.text}, and masked in the log.</p>;
	}
	return (
		<p className={`${css.hint} ${secrets > 0 ? "sev-warning" : ""}`}>
			{secrets > 0 && <Icon of={WarnIcon} small />} There is no keychain: {store.text}. Secrets are kept in
			memory only, until this app ends; they are masked in the log and written to no file.
		</p>
	);
}
