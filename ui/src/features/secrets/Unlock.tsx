import { useState } from "react";
import { TESTID } from "../../app/testids";
import { useStore } from "../../components/useStore";
import type { SecretStore } from "../../model/secretStore";
import css from "./Secrets.module.css";

interface Props {
	store: SecretStore;
	/** What the button does. */
	verb?: string;
	onDone?: () => void;
}

/** The passphrase of the file of secrets, wherever one of them is needed. */
export function Unlock({ store, verb = "Unlock", onDone }: Props) {
	useStore(store);
	const [passphrase, setPassphrase] = useState("");
	const { busy, problem } = store;
	const unlock = async () => {
		if (await store.unlock(passphrase)) onDone?.();
	};
	return (
		<span className={css.unlock} data-testid={TESTID.unlock}>
			<span className={`fld ui ${css.field} ${problem === null ? "" : "bad"}`}>
				<input
					type="password"
					autoComplete="off"
					placeholder="passphrase of secrets.age"
					aria-label="Passphrase of the file of secrets"
					aria-invalid={problem !== null}
					value={passphrase}
					data-testid={TESTID.unlockPassphrase}
					// It may stand within a form, whose Enter this is not.
					onKeyDown={(event) => {
						if (event.key !== "Enter") return;
						event.preventDefault();
						event.stopPropagation();
						if (passphrase !== "" && !busy) void unlock();
					}}
					onChange={(event) => setPassphrase(event.target.value)}
				/>
			</span>
			<button
				type="button"
				className="btn"
				disabled={passphrase === "" || busy}
				data-testid={TESTID.unlockRun}
				onClick={() => void unlock()}
			>
				{busy ? "Unlocking" : verb}
			</button>
			{problem !== null && (
				<span className="sev-error xs" role="alert">
					{problem}.
				</span>
			)}
		</span>
	);
}
