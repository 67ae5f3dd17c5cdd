import { useState } from "react";
import { TESTID } from "../../app/testids";
import { Segments } from "../../components/Segments";
import type { AuthDraft, AuthRow, SecretDraft } from "../../ipc/auth";
import type { AppStore } from "../../model/appStore";
import css from "./Auth.module.css";

/** How a server is signed in to: what is left empty is found out or made by itself. */
export function AuthSettings({ app, row }: { app: AppStore; row: AuthRow }) {
	const [draft, setDraft] = useState<AuthDraft>(row.draft);
	const [said, setSaid] = useState("");
	const change = (part: Partial<AuthDraft>) => {
		setSaid("");
		setDraft({ ...draft, ...part });
	};
	const text = (key: "client_id" | "client_metadata_url" | "scopes" | "key_alg" | "accept_resource") => ({
		value: draft[key] ?? "",
		onChange: (value: string) => change({ [key]: value === "" ? null : value }),
	});
	const save = async () => {
		const saved = await app.auth.save(row.server, draft);
		if (!saved) return;
		const kept = { kind: "keep" } as const;
		setDraft({ ...draft, client_secret: kept, private_key: kept });
		setSaid("Saved. Holds from the next sign-in on.");
	};
	return (
		<form
			className={css.settings}
			aria-label="Client and scopes"
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<div className={css.line}>
				<Segments
					label="Grant"
					value={draft.grant}
					onChange={(grant) => change({ grant })}
					options={[
						{ value: "authorization-code", label: "Authorization code" },
						{ value: "client-credentials", label: "Client credentials" },
					]}
				/>
			</div>
			<Field label="Client id" hint="registered by itself where empty" {...text("client_id")} />
			<Secret
				label="Client secret"
				has={row.has_secret}
				value={draft.client_secret}
				onChange={(client_secret) => change({ client_secret })}
			/>
			<Field label="Metadata URL" hint="client id metadata document" {...text("client_metadata_url")} />
			<Secret
				label="Private key"
				has={row.has_key}
				value={draft.private_key}
				onChange={(private_key) => change({ private_key })}
			/>
			<Field label="Key algorithm" hint="ES256, RS256 …" {...text("key_alg")} />
			<Field label="Scopes" hint="those that the server asks for" {...text("scopes")} />
			<Field label="Accept resource" hint="the server’s own URL alone" {...text("accept_resource")} />
			<label className={css.option}>
				<input
					type="checkbox"
					className="check"
					checked={draft.accept_private}
					onChange={(event) => change({ accept_private: event.target.checked })}
				/>
				The authorization server may be at a private address
			</label>
			<p className={css.line}>
				<button type="submit" className="btn" data-testid={TESTID.authSave}>
					Save
				</button>
				<span className="dim trunc" role="status">
					{said}
				</span>
			</p>
		</form>
	);
}

interface FieldProps {
	label: string;
	hint: string;
	value: string;
	onChange: (value: string) => void;
}

function Field({ label, hint, value, onChange }: FieldProps) {
	const id = `auth-${label.replaceAll(" ", "-")}`;
	return (
		<div className={css.field}>
			<label htmlFor={id}>{label}</label>
			<span className="fld">
				<input
					id={id}
					value={value}
					placeholder={hint}
					spellCheck={false}
					autoComplete="off"
					onChange={(event) => onChange(event.target.value)}
				/>
			</span>
		</div>
	);
}

interface SecretProps {
	label: string;
	/** One is kept. */
	has: boolean;
	value: SecretDraft;
	onChange: (value: SecretDraft) => void;
}

/** A secret is never shown again; typing replaces it. */
function Secret({ label, has, value, onChange }: SecretProps) {
	const id = `auth-${label.replaceAll(" ", "-")}`;
	const gone = value.kind === "none";
	return (
		<div className={css.field}>
			<label htmlFor={id}>{label}</label>
			<span className={css.secret}>
				<span className="fld">
					<input
						id={id}
						type="password"
						value={value.kind === "set" ? value.value : ""}
						placeholder={gone ? "taken away when saved" : has ? "•••• kept, type to replace" : "none"}
						autoComplete="off"
						onChange={(event) =>
							onChange(
								event.target.value === "" ? { kind: "keep" } : { kind: "set", value: event.target.value },
							)
						}
					/>
				</span>
				{has && (
					<button
						type="button"
						className="btn ghost sm"
						onClick={() => onChange(gone ? { kind: "keep" } : { kind: "none" })}
					>
						{gone ? "Keep" : "Remove"}
					</button>
				)}
			</span>
		</div>
	);
}
