import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { ErrorBoundary } from "./app/ErrorBoundary";
import { connectBackend } from "./ipc";
import { AppStore } from "./model/appStore";
import { CallStore } from "./model/calls";
import { Settings } from "./model/settings";
import "./styles/tokens.css";
import "./styles/base.css";

async function start(host: HTMLElement): Promise<void> {
	const backend = await connectBackend();
	const app = new AppStore(backend);
	const settings = new Settings(backend, (problem) => app.tell(problem));
	// First, so that the window opens in its theme and with its sizes.
	await settings.load();
	createRoot(host).render(
		<StrictMode>
			<ErrorBoundary part="the window">
				<App app={app} calls={new CallStore(backend)} settings={settings} />
			</ErrorBoundary>
		</StrictMode>,
	);
}

const host = document.getElementById("root");
if (host) void start(host);
