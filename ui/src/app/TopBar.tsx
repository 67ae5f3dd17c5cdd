import { Icon } from "../components/Icon";
import { SearchIcon } from "../components/icons";
import { MOD } from "../components/keys";
import { ServerFormHead, ServerHeader } from "../features/servers/ServerHeader";
import { SessionsHead } from "../features/sessions/SessionsHead";
import type { AppStore } from "../model/appStore";
import css from "./App.module.css";
import { TESTID } from "./testids";

/** The line above the workspace: what is shown, what can be done with it, and the way to everything else. */
export function TopBar({ app, onPalette }: { app: AppStore; onPalette: () => void }) {
	return (
		<div className={css.top}>
			<div className={css.head}>
				<Head app={app} />
			</div>
			<button
				type="button"
				className={css.palette}
				title={`Servers, tools, sessions and commands (${MOD} K)`}
				data-testid={TESTID.openPalette}
				onClick={onPalette}
			>
				<Icon of={SearchIcon} small />
				<span className="trunc">Search or run…</span>
				<kbd>{MOD} K</kbd>
			</button>
		</div>
	);
}

function Head({ app }: { app: AppStore }) {
	switch (app.page) {
		case "server":
			return <ServerFormHead app={app} />;
		case "sessions":
			return <SessionsHead app={app} />;
		case "settings":
			return <h1 className={css.title}>Settings</h1>;
		case "app-log":
			return <h1 className={css.title}>App log</h1>;
		case "session":
			return <ServerHeader app={app} />;
	}
}
