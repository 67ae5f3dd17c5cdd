/** Where the fake host keeps secrets: a keychain, a file that a passphrase opens, or memory. */
import type { SecretStoreRow } from "../secrets";
import { PASSPHRASE } from "./exports";
import type { Area } from "./host";

type Names = "secret_store" | "choose_secret_store" | "unlock_secrets";

export class SecretPlace {
	private kind: SecretStoreRow["kind"];
	private passphrase = PASSPHRASE;

	constructor(
		private readonly keychain: boolean,
		/** There is a file that was not opened yet. */
		private locked: boolean,
	) {
		this.kind = locked ? "file" : keychain ? "keychain" : "memory";
	}

	readonly commands: Area<Names> = {
		secret_store: () => this.row(),
		choose_secret_store: ({ kind, passphrase }) => {
			this.kind = kind;
			this.locked = false;
			if (passphrase !== null) this.passphrase = passphrase;
			return this.row();
		},
		unlock_secrets: ({ passphrase }) => {
			if (passphrase !== this.passphrase) {
				throw { code: "wrong_passphrase", message: "This passphrase does not open secrets.age." };
			}
			this.locked = false;
			return this.row();
		},
	};

	private row(): SecretStoreRow {
		const works = this.kind === "keychain";
		return {
			keychain: works,
			text: works
				? "the keychain of this system (Secret Service)"
				: "no Secret Service answers on the session bus",
			kind: this.kind,
			locked: this.locked,
			canChoose: !this.keychain || this.kind !== "keychain",
		};
	}
}
