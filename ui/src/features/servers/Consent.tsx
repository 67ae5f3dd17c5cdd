import { useEffect, useRef } from "react";
import { TESTID } from "../../app/testids";
import { MOD, useKeys } from "../../components/keys";
import type { ServerRow } from "../../ipc/bindings/ServerRow";
import type { AppStore } from "../../model/appStore";
import { visible } from "../../model/visible";
import { Facts } from "./Facts";
import css from "./ServerForm.module.css";

/** A pasted server before its first start: the whole of what would be started. */
export function Consent({ app, server }: { app: AppStore; server: ServerRow }) {
	const page = useRef<HTMLElement>(null);
	// No button has the focus: Enter alone starts nothing.
	useEffect(() => page.current?.focus(), []);
	const start = () => void app.confirm(server.id);
	useKeys({
		"Mod+Enter": () => {
			start();
			return true;
		},
	});
	const stdio = server.transport === "stdio";
	const values = (stdio ? server.env : server.headers).map(({ name, value, kept }) => ({
		name,
		value: kept === "catalogue" ? value : null,
	}));
	return (
		<section
			ref={page}
			className={css.consent}
			aria-labelledby="consent-title"
			tabIndex={-1}
			data-testid={TESTID.consent}
		>
			<h2 id="consent-title">{stdio ? "Start this command?" : "Connect to this URL?"}</h2>
			<p className={css.lead}>
				{visible(server.name)} was pasted, and nothing of it has been started yet.{" "}
				{stdio
					? "The command runs with your rights: it can do whatever you can do."
					: "The headers below are sent to it, secrets included."}
			</p>
			<Facts
				transport={server.transport}
				argv={server.argv}
				cwd={server.cwd ?? ""}
				url={server.target}
				values={values}
			/>
			<div className={css.acts}>
				<button type="button" className="btn pri" data-testid={TESTID.consentStart} onClick={start}>
					{stdio ? "Start and connect" : "Connect"} <kbd>{MOD} ↵</kbd>
				</button>
				<button type="button" className="btn" onClick={() => app.edit(server)}>
					Edit
				</button>
				<button type="button" className="btn danger" onClick={() => void app.deleteServer(server.id)}>
					Delete server
				</button>
			</div>
		</section>
	);
}
