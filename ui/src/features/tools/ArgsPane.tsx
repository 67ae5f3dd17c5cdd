import { TESTID } from "../../app/testids";
import { CodeEdit } from "../../components/CodeEdit";
import { Icon } from "../../components/Icon";
import { ErrorIcon, PlayIcon, RestartIcon, WarnIcon } from "../../components/icons";
import { MOD } from "../../components/keys";
import { PrettyJson } from "../../components/PrettyJson";
import { Visible } from "../../components/Visible";
import type { ToolRow } from "../../ipc/bindings/ToolRow";
import { visible } from "../../model/visible";
import type { SendState } from "./sendState";
import css from "./Tools.module.css";

/** A description up to this length is read in the header. */
const HEADLINE = 48;

interface Props {
	tool: ToolRow;
	args: string;
	onArgs: (text: string) => void;
	send: SendState;
	onSend: () => void;
	/** What our check says about the arguments; sending is possible all the same. */
	check: string | null;
	/** Why the last sending failed on our side. */
	failure: string | null;
}

/** The arguments as JSON text, and the button that sends them. */
export function ArgsPane({ tool, args, onArgs, send, onSend, check, failure }: Props) {
	const headline = tool.title ?? firstLine(tool.description);
	return (
		<div className="pane">
			<header className={`phead ${css.title}`}>
				<span className="mono strong trunc">
					<Visible text={tool.name} />
				</span>
				<span className="sub trunc grow" title={visible(tool.description ?? "")}>
					{visible(headline)}
				</span>
				<span className="dim xs">arguments, JSON</span>
			</header>
			{tool.problem && (
				<div className="strip err">
					<Icon of={ErrorIcon} small />
					<span>
						Our check of this item in <span className="mono">tools/list</span>: {visible(tool.problem)}
					</span>
				</div>
			)}
			{tool.description !== null && (tool.description !== headline || headline.length > HEADLINE) && (
				<p className={css.description}>
					<Visible text={tool.description} lines />
				</p>
			)}
			<CodeEdit
				value={args}
				onChange={onArgs}
				onSubmit={onSend}
				label="Arguments as JSON"
				testId={TESTID.argsEditor}
			/>
			<Schema tool={tool} />
			{failure && (
				<div className="strip err" role="alert">
					<Icon of={ErrorIcon} small />
					<span className="selectable">Not sent. {failure}</span>
				</div>
			)}
			<footer className={css.run}>
				<button
					type="button"
					className="btn pri"
					disabled={send.off !== null}
					title={send.off ?? undefined}
					data-testid={TESTID.send}
					onClick={onSend}
				>
					<Icon of={send.connects ? RestartIcon : PlayIcon} small />
					{send.label} <kbd>{MOD} ↵</kbd>
				</button>
				{send.off !== null && <span className="dim xs trunc">{send.off}</span>}
				{check !== null && (
					<span className={`sev-warning xs trunc ${css.check}`}>
						<Icon of={WarnIcon} small />
						Our check: {check}
					</span>
				)}
				<span className="grow" />
				<span className="dim xs">timeout 30 s</span>
			</footer>
		</div>
	);
}

/** The tool as listed, on demand. */
function Schema({ tool }: { tool: ToolRow }) {
	return (
		<details className={css.schema}>
			<summary>{tool.input_schema === null ? "Item as listed" : "Input schema"}</summary>
			<div className={css.schemaText}>
				<PrettyJson text={tool.input_schema ?? tool.raw} foldBelow={4} numbers={false} label="Input schema" />
			</div>
		</details>
	);
}

function firstLine(text: string | null): string {
	return text?.trim().split("\n")[0] ?? "";
}
