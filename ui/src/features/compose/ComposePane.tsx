import { type ReactNode, useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { CodeEdit } from "../../components/CodeEdit";
import { Icon } from "../../components/Icon";
import { ErrorIcon, PlayIcon, RestartIcon, WarnIcon } from "../../components/icons";
import { MOD, useKeys } from "../../components/keys";
import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import type { CallStore } from "../../model/calls";
import { frameFacts, withId } from "../../model/composed";
import type { Composed } from "../../model/drafts";
import { words } from "../../model/errors";
import { type SendState, sendState, sessionToSend } from "../../model/sendState";
import type { Settings } from "../../model/settings";
import { TEMPLATES } from "../../model/templates";
import { visible } from "../../model/visible";
import { ThreePanes } from "../tools/ThreePanes";
import css from "./Compose.module.css";
import { HeaderFields } from "./HeaderFields";
import { useNextId } from "./useNextId";

interface Props {
	app: AppStore;
	calls: CallStore;
	settings: Settings;
	row: SessionRow;
	/** What runs and what came back. */
	answer: ReactNode;
}

/** A raw frame: bytes as typed, also wrong on purpose; over HTTP with headers. */
export function ComposePane({ app, calls, settings, row, answer }: Props) {
	const drafts = useStore(app.drafts);
	useStore(calls);
	const server = app.server ?? row.id;
	const nextId = useNextId(app.backend, row.id, calls.version());
	const frame = drafts.composed(server) ?? { text: TEMPLATES[0]?.frame(nextId ?? "1") ?? "", headers: [] };
	const change = (next: Partial<Composed>) => drafts.compose(server, { ...frame, ...next });
	const send = sendState(row, app.serverRow);
	const [failure, setFailure] = useState<string | null>(null);
	useEffect(() => void calls.watch(row.id), [calls, row.id]);
	const onSend = async () => {
		if (send.off !== null) return;
		setFailure(null);
		try {
			const to = await sessionToSend(app, row, send);
			const headers = frame.headers.map(([name, value]): [string, string] => [name, value]);
			if (to !== null)
				await calls.sendRaw(
					to,
					frame.text,
					headers.filter(([name]) => name !== ""),
				);
		} catch (error) {
			setFailure(words(error));
		}
	};
	useKeys({
		"Mod+Enter": () => {
			void onSend();
			return true;
		},
	});
	return (
		<ThreePanes
			settings={settings}
			list={<Templates onChoose={(make) => change({ text: make(nextId ?? "1") })} />}
			form={
				<Editor
					row={row}
					frame={frame}
					onChange={change}
					send={send}
					nextId={nextId}
					failure={failure}
					onSend={() => void onSend()}
				/>
			}
			wire={<div className="pane">{answer}</div>}
		/>
	);
}

interface EditorProps {
	row: SessionRow;
	frame: Composed;
	onChange: (next: Partial<Composed>) => void;
	send: SendState;
	nextId: string | null;
	/** Why the last sending failed on our side. */
	failure: string | null;
	onSend: () => void;
}

/** The bytes, their headers, and the button that sends them. */
function Editor({ row, frame, onChange, send, nextId, failure, onSend }: EditorProps) {
	return (
		<div className="pane">
			<header className={`phead ${css.title}`}>
				<h3>Raw frame</h3>
				<span className="sub trunc grow">
					Sent as typed{row.transport === "stdio" && ", with a line feed"}.
				</span>
			</header>
			<CodeEdit
				value={frame.text}
				onChange={(text) => onChange({ text })}
				onSubmit={onSend}
				label="Raw frame"
				testId={TESTID.composeEditor}
			/>
			{row.transport !== "stdio" && (
				<HeaderFields headers={frame.headers} onChange={(headers) => onChange({ headers })} />
			)}
			{failure !== null && (
				<div className="strip err" role="alert">
					<Icon of={ErrorIcon} small />
					<span className="selectable">Not sent: {failure}</span>
				</div>
			)}
			<footer className={css.run}>
				<button
					type="button"
					className="btn pri"
					disabled={send.off !== null}
					title={send.off ?? undefined}
					data-testid={TESTID.composeSend}
					onClick={onSend}
				>
					<Icon of={send.connects ? RestartIcon : PlayIcon} small />
					{send.label} <kbd>{MOD} ↵</kbd>
				</button>
				{send.off !== null && <span className="dim xs trunc">{send.off}</span>}
				<Facts text={frame.text} stdio={row.transport === "stdio"} />
				<NewId text={frame.text} nextId={nextId} onText={(text) => onChange({ text })} />
			</footer>
		</div>
	);
}

function Templates({ onChoose }: { onChoose: (make: (id: string) => string) => void }) {
	return (
		<div className="pane">
			<header className="phead">
				<h3>Begin with</h3>
			</header>
			<ul className={css.templates}>
				{TEMPLATES.map((template) => (
					<li key={template.name}>
						<button
							type="button"
							data-testid={TESTID.composeTemplate}
							data-template={template.name}
							title={template.about}
							onClick={() => onChoose(template.frame)}
						>
							<span className="mono trunc">{template.name}</span>
							<span className="dim xs trunc">{template.about}</span>
						</button>
					</li>
				))}
			</ul>
		</div>
	);
}

function Facts({ text, stdio }: { text: string; stdio: boolean }) {
	const { size, odd } = frameFacts(text, stdio);
	return (
		<>
			<span className="mono dim">{size}</span>
			{odd.length > 0 && (
				<span className={`sev-warning xs trunc ${css.odd}`} title={odd.join("; ")}>
					<Icon of={WarnIcon} small />
					Our check: {odd.join("; ")}
				</span>
			)}
			<span className="grow" />
		</>
	);
}

interface NewIdProps {
	text: string;
	nextId: string | null;
	onText: (text: string) => void;
}

/** An id that was not used yet, for a frame that has another one. */
function NewId({ text, nextId, onText }: NewIdProps) {
	const { id } = frameFacts(text, true);
	if (id === null || nextId === null || id === nextId) return null;
	return (
		<button
			type="button"
			className="btn sm"
			title={`Its id is ${visible(id)}; this app would take ${visible(nextId)} next`}
			onClick={() => onText(withId(text, nextId))}
		>
			Use id {visible(nextId)}
		</button>
	);
}
