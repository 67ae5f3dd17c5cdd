/** Where secrets are kept: the keychain, a file that a passphrase opens, or memory. */
import type { Backend } from "../ipc/backend";
import { isWrongPassphrase, type SecretStoreKind, type SecretStoreRow } from "../ipc/secrets";
import { words } from "./errors";
import { Observable } from "./observable";

export class SecretStore extends Observable {
	/** Null before the host has said it. */
	row: SecretStoreRow | null = null;
	/** The host derives a key, which takes a second. */
	busy = false;
	/** What did not work last, in words. */
	problem: string | null = null;

	constructor(
		private readonly backend: Backend,
		/** Values can be had that could not before. */
		private readonly onUnlocked: () => void,
	) {
		super();
	}

	/** Throws where the host does. */
	async read(): Promise<void> {
		this.row = await this.backend.call("secret_store", {});
		this.changed();
	}

	/** Moves the secrets. False where that failed. */
	choose(kind: Exclude<SecretStoreKind, "keychain">, passphrase: string | null): Promise<boolean> {
		return this.attempt(async () => {
			this.row = await this.backend.call("choose_secret_store", { kind, passphrase });
		});
	}

	/** Opens the file for as long as this app runs. False where that failed. */
	async unlock(passphrase: string): Promise<boolean> {
		const done = await this.attempt(async () => {
			this.row = await this.backend.call("unlock_secrets", { passphrase });
		});
		if (done) this.onUnlocked();
		return done;
	}

	private async attempt(act: () => Promise<void>): Promise<boolean> {
		this.busy = true;
		this.problem = null;
		this.changed();
		try {
			await act();
			return true;
		} catch (error) {
			this.problem = isWrongPassphrase(error) ? "This passphrase does not open the file" : words(error);
			return false;
		} finally {
			this.busy = false;
			this.changed();
		}
	}
}

/** Where secrets go, as a sentence. */
export function storeWords({ kind, text, locked }: SecretStoreRow): string {
	switch (kind) {
		case "keychain":
			return locked
				? `Secrets are kept in ${text}. Older ones are in secrets.age in the data folder, which is locked.`
				: `Secrets are kept in ${text}, never in a file of this app.`;
		case "file":
			return locked
				? "Secrets are kept in secrets.age in the data folder, which is locked: no server gets one of them until its passphrase is given."
				: "Secrets are kept in secrets.age in the data folder, encrypted to your passphrase, which is asked for once each time this app is started.";
		case "memory":
			return `There is no keychain: ${text}. Secrets are kept in memory only, until this app ends.`;
	}
}
