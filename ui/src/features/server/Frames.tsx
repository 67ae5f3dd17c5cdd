import { useState } from "react";
import { CopyButton } from "../../components/CopyButton";
import { PrettyJson } from "../../components/PrettyJson";
import { Tabs } from "../../components/Tabs";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import type { AppStore } from "../../model/appStore";
import { count } from "../../model/format";
import type { ServerInfo } from "../../model/serverInfo";
import type { SessionStore } from "../../model/sessionStore";
import { useFrame } from "../frame/useFrame";

interface Props {
	app: AppStore;
	session: SessionStore;
	info: ServerInfo;
	request: RecordRow | null;
}

/** The frames by which the server introduced itself. */
export function Frames({ app, session, info, request }: Props) {
	const [shown, setShown] = useState("answer");
	const question = useFrame(app.backend, session.session, request);
	const text = shown === "answer" ? info.message : (question.body?.text ?? "");
	const seq = shown === "answer" ? info.answer : info.request;
	return (
		<div className="pane">
			<header className="phead">
				<h3 className="mono">{info.method}</h3>
				<span className="mono dim">#{count(seq)}</span>
				<span className="grow" />
				<button type="button" className="btn ghost sm" onClick={() => void session.selectSeq(seq)}>
					Show frame
				</button>
				<CopyButton text={() => text} label="Copy as received" />
			</header>
			<Tabs
				small
				label="Frames of the introduction"
				value={shown}
				onChange={setShown}
				tabs={[
					{ value: "answer", label: "Answer" },
					{ value: "request", label: "Request" },
				]}
			/>
			<PrettyJson key={shown} text={text} foldBelow={8} label={`${info.method}, ${shown}`} />
		</div>
	);
}
