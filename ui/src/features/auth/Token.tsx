import { TESTID } from "../../app/testids";
import { useNow } from "../../components/useNow";
import { Visible } from "../../components/Visible";
import type { AuthRow, ClaimsRow, TokenRow } from "../../ipc/auth";
import type { AppStore } from "../../model/appStore";
import { clock, lasting } from "../../model/format";
import { pretty } from "../../model/json/pretty";
import css from "./Auth.module.css";

interface Props {
	app: AppStore;
	server: string;
	token: TokenRow;
	kept: AuthRow["kept"];
}

const KEPT: Record<AuthRow["kept"], string> = {
	keychain: "in the OS keychain",
	file: "in the encrypted file of secrets",
	memory: "in memory, until this app ends",
	missing: "not found in the OS keychain any more",
};

/** The token that is kept: whose it is, what it is good for and until when; never the token itself. */
export function Token({ app, server, token, kept }: Props) {
	const now = useNow(1000) * 1000;
	const { expires_us } = token;
	const left = expires_us === null ? null : expires_us - now;
	const facts: [string, string][] = [
		["Type", token.token_type],
		["Issuer", token.issuer],
		["Client", token.client_id],
		["Resource", token.resource ?? "not said"],
		["Scopes", token.scopes.length === 0 ? "none told" : token.scopes.join(" ")],
		["Kept", KEPT[kept]],
	];
	return (
		<section className={css.sec} aria-label="Token" data-testid={TESTID.token}>
			<p className={css.line}>
				<span className="strong">Token</span>
				<span className={left !== null && left <= 0 ? "sev-warning trunc" : "dim trunc"}>
					{expires_us === null || left === null
						? "no end told"
						: left <= 0
							? `over since ${clock(expires_us)}`
							: `good for ${lasting(left)}`}
				</span>
				<span className="grow" />
				{token.refreshable && (
					<button
						type="button"
						className="btn sm"
						title="Asks for new tokens with the refresh token"
						data-testid={TESTID.tokenRenew}
						onClick={() => void app.auth.renew(server, "refresh_token")}
					>
						Renew
					</button>
				)}
				<button
					type="button"
					className="btn sm"
					title="Revokes the tokens where the server can, and forgets them"
					data-testid={TESTID.signOut}
					onClick={() => void app.auth.renew(server, "sign_out")}
				>
					Sign out
				</button>
			</p>
			<dl className={css.facts}>
				{facts.map(([name, value]) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd>
							<Visible text={value} />
						</dd>
					</div>
				))}
			</dl>
			{token.access && <Claims title="Access token, decoded" of={token.access} />}
			{token.id && <Claims title="ID token, decoded" of={token.id} />}
			{!token.access && <p className="dim">The access token is opaque: it says nothing to this app.</p>}
		</section>
	);
}

function Claims({ title, of }: { title: string; of: ClaimsRow }) {
	const text = [of.header, of.claims].map((json) => pretty(json, Number.POSITIVE_INFINITY).text).join("\n");
	return (
		<details className={css.side}>
			<summary>
				{title} <span className="sev-warning">not verified</span>
			</summary>
			<p className="sev-warning">
				<Visible text={of.note} />
			</p>
			<pre className="mono">
				<Visible text={text} lines />
			</pre>
		</details>
	);
}
