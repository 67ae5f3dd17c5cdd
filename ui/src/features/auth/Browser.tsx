import { useState } from "react";
import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import type { AppStore } from "../../model/appStore";
import { visible } from "../../model/visible";
import css from "./Auth.module.css";

/** The address that the browser was given, and the one that it came back to, for a browser on another machine. */
export function Browser({ app, server, url }: { app: AppStore; server: string; url: string }) {
	const [back, setBack] = useState("");
	return (
		<form
			className={css.browser}
			onSubmit={(event) => {
				event.preventDefault();
				if (back.trim() !== "") void app.auth.act(server, "sign_in_finish", { url: back.trim() });
			}}
		>
			<p className={css.line}>
				<span className="mono trunc grow" title={visible(url)}>
					{visible(url)}
				</span>
				<CopyButton text={() => url} label="Copy the address that the browser was given" />
			</p>
			<p className={css.line}>
				<label className="fld grow">
					<span className="vh">Address that the browser was sent back to</span>
					<input
						value={back}
						placeholder="Paste the address that the browser was sent back to"
						spellCheck={false}
						autoComplete="off"
						data-testid={TESTID.signInBack}
						onChange={(event) => setBack(event.target.value)}
					/>
				</label>
				<button type="submit" className="btn" disabled={back.trim() === ""} data-testid={TESTID.signInFinish}>
					Finish
				</button>
			</p>
		</form>
	);
}
