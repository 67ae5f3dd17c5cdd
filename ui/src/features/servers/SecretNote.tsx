import { Icon } from "../../components/Icon";
import { WarnIcon } from "../../components/icons";
import { useStore } from "../../components/useStore";
import { type SecretStore, storeWords } from "../../model/secretStore";
import { Unlock } from "../secrets/Unlock";
import css from "./ServerForm.module.css";

/** Below the tables: where secrets go, and the way to those of a locked file. */
export function SecretNote({ store, secrets }: { store: SecretStore; secrets: number }) {
	useStore(store);
	const { row } = store;
	if (!row) return null;
	const warns = secrets > 0 && (row.kind === "memory" || row.locked);
	return (
		<>
			<p className={`${css.hint} ${warns ? "sev-warning" : ""}`}>
				{warns && <Icon of={WarnIcon} small />} {storeWords(row)} They are masked in the log.
			</p>
			{row.locked && secrets > 0 && (
				<p className={css.unlock}>
					<Unlock store={store} />
				</p>
			)}
		</>
	);
}
