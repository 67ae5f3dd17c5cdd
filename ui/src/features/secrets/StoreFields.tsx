import { useState } from "react";
import { TESTID } from "../../app/testids";
import { Segments } from "../../components/Segments";
import { useStore } from "../../components/useStore";
import type { SecretStoreRow } from "../../ipc/secrets";
import { passphraseProblem } from "../../model/passphrase";
import { type SecretStore, storeWords } from "../../model/secretStore";
import { NewPassphrase } from "./NewPassphrase";
import css from "./Secrets.module.css";
import { Unlock } from "./Unlock";

type Choice = "file" | "memory";

/** Where secrets are kept; where no keychain works, the user chooses. Nothing moves until it was said what that does. */
export function StoreFields({ store }: { store: SecretStore }) {
	useStore(store);
	const [wanted, setWanted] = useState<Choice | null>(null);
	const { row } = store;
	if (!row) return null;
	const kind = wanted ?? row.kind;
	return (
		<div className={css.store} data-testid={TESTID.secretStore} data-kind={row.kind}>
			{row.canChoose && (
				<Segments<SecretStoreRow["kind"]>
					large
					label="Where secrets are kept"
					value={kind}
					onChange={(next) => setWanted(next === row.kind || next === "keychain" ? null : next)}
					options={[
						{ value: "file", label: "file with a passphrase", testId: TESTID.secretStoreFile },
						{ value: "memory", label: "memory only", testId: TESTID.secretStoreMemory },
					]}
				/>
			)}
			{wanted === null && (
				<>
					<p className={css.words}>{storeWords(row)}</p>
					{row.locked && <Unlock store={store} />}
				</>
			)}
			{wanted === "file" && <ToFile store={store} onDone={() => setWanted(null)} />}
			{wanted === "memory" && <ToMemory store={store} row={row} onDone={() => setWanted(null)} />}
		</div>
	);
}

function ToFile({ store, onDone }: { store: SecretStore; onDone: () => void }) {
	const [first, setFirst] = useState("");
	const [second, setSecond] = useState("");
	const problem = passphraseProblem(first, second);
	const move = async () => {
		if (await store.choose("file", first)) onDone();
	};
	return (
		<form
			className={css.store}
			onSubmit={(event) => {
				event.preventDefault();
				if (problem === null && !store.busy) void move();
			}}
		>
			<p className={css.words}>
				The secrets that are in memory go into secrets.age in the data folder, encrypted to a passphrase that
				is asked for once each time this app is started.
			</p>
			<NewPassphrase
				first={first}
				second={second}
				of="the secrets"
				testId={TESTID.secretStorePassphrase}
				onChange={(one, two) => {
					setFirst(one);
					setSecond(two);
				}}
			/>
			<Acts store={store} onCancel={onDone}>
				<button
					type="submit"
					className="btn"
					disabled={problem !== null || store.busy}
					title={problem ?? undefined}
					data-testid={TESTID.secretStoreApply}
				>
					{store.busy ? "Encrypting" : "Encrypt and keep"}
				</button>
			</Acts>
		</form>
	);
}

function ToMemory({ store, row, onDone }: { store: SecretStore; row: SecretStoreRow; onDone: () => void }) {
	const move = async () => {
		if (await store.choose("memory", null)) onDone();
	};
	return (
		<>
			<p className={css.words}>
				{row.locked
					? "The file secrets.age is deleted without having been opened: the secrets in it are lost, and servers that need one ask for it again."
					: "The file secrets.age is deleted. Its secrets stay in memory until this app ends, and are then lost."}
			</p>
			<Acts store={store} onCancel={onDone}>
				<button
					type="button"
					className="btn danger"
					disabled={store.busy}
					data-testid={TESTID.secretStoreApply}
					onClick={() => void move()}
				>
					{row.locked ? "Delete the file and its secrets" : "Delete the file"}
				</button>
			</Acts>
		</>
	);
}

function Acts({
	store,
	onCancel,
	children,
}: {
	store: SecretStore;
	onCancel: () => void;
	children: React.ReactNode;
}) {
	return (
		<>
			<span className={css.acts}>
				{children}
				<button type="button" className="btn ghost" onClick={onCancel}>
					Cancel
				</button>
			</span>
			{store.problem !== null && (
				<p className={`sev-error ${css.words}`} role="alert">
					{store.problem}
				</p>
			)}
		</>
	);
}
