import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { SchemaForm } from "../../components/form/SchemaForm";
import { Icon } from "../../components/Icon";
import { ErrorIcon, WarnIcon } from "../../components/icons";
import { MOD, useKeys } from "../../components/keys";
import { Segments } from "../../components/Segments";
import { Visible } from "../../components/Visible";
import type { Callable } from "../../model/callable";
import type { Completion } from "../../model/completion";
import type { Failures } from "../../model/form/checks";
import type { FormDraft } from "../../model/form/draft";
import type { Layout, Row } from "../../model/form/rows";
import type { SendState } from "../../model/sendState";
import { visible } from "../../model/visible";
import { CallAbout } from "./CallAbout";
import { JsonView } from "./JsonView";
import { SchemaView } from "./SchemaView";
import { SendBar } from "./SendBar";
import css from "./Tools.module.css";

/** A description up to this length is read in the header. */
const HEADLINE = 56;

interface Props {
	call: Callable;
	draft: FormDraft;
	layout: Layout;
	failures: Failures;
	/** What the server offers for a field as it is typed; null where it offers nothing. */
	complete: ((row: Row, value: string) => Promise<Completion>) | null;
	/** Why all or part of the arguments was not checked. */
	unchecked: string | null;
	/** What this app says about the params as a whole: no JSON, no object. */
	problem: string | null;
	send: SendState;
	/** Why the last sending failed on our side. */
	failure: string | null;
	/** Beside the button that sends. */
	beside?: ReactNode;
	timeoutMs: number | null;
	/** A destructive call waits for a yes. */
	asking: boolean;
	/** Whether the server can be asked in its other era, too. */
	both: boolean;
	onSend: (confirmed?: boolean) => void;
	/** Sends in both eras. */
	onBoth: () => void;
	onCancel: () => void;
}

type View = "form" | "json" | "schema";

/** What is filled in, as fields or as JSON, and the button that sends it. */
export function CallForm(props: Props) {
	const { call, draft, layout, failures, failure } = props;
	const [schema, setSchema] = useState(false);
	const body = useRef<HTMLDivElement>(null);
	const view: View = schema ? "schema" : draft.view;
	const show = (next: View) => {
		setSchema(next === "schema");
		if (next !== "schema") draft.show(next);
	};
	const byKey = useRef(false);
	useKeys({
		"Mod+j": () => {
			byKey.current = true;
			show(view === "form" ? "json" : "form");
			return true;
		},
	});
	// biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows a view that was changed by key
	useEffect(() => {
		if (!byKey.current) return;
		byKey.current = false;
		body.current?.querySelector<HTMLElement>(FIRST)?.focus();
	}, [view]);
	const about = useMemo(() => call.about(), [call]);
	const headline = call.title ?? firstLine(call.description);
	const described =
		call.description !== null && (call.description !== headline || headline.length > HEADLINE);
	const beside = described && call.title === null ? "" : headline;
	return (
		<div className="pane" data-tool={call.name}>
			<header className={`phead ${css.title}`}>
				<span className="mono strong trunc">
					<Visible text={call.name} />
				</span>
				<span className="sub trunc grow" title={visible(beside)}>
					{visible(beside)}
				</span>
				<Segments
					label={`View of the arguments, ${MOD} J`}
					value={view}
					onChange={show}
					options={[
						...(draft.form.root ? [{ value: "form" as const, label: "Form", testId: TESTID.formView }] : []),
						{ value: "json", label: "JSON", testId: TESTID.jsonView },
						...(call.parts.length === 0
							? []
							: [
									{
										value: "schema" as const,
										label: call.parts.length > 1 ? "Schema" : "Item",
										testId: TESTID.schemaView,
									},
								]),
					]}
				/>
			</header>
			<Faults call={call} draft={draft} layout={layout} />
			{described && <Description text={call.description ?? ""} />}
			<CallAbout about={about} />
			<div ref={body} className={css.body} data-arguments>
				{view === "schema" && <SchemaView parts={call.parts} />}
				{view === "json" && <JsonView draft={draft} failures={failures} onSend={() => props.onSend()} />}
				{view === "form" && layout.problem === null && (
					<SchemaForm
						draft={draft}
						layout={layout}
						failures={failures}
						label={`Arguments of ${call.name}`}
						testId={TESTID.form}
						complete={props.complete}
					/>
				)}
			</div>
			{failure && (
				<div className="strip err" role="alert">
					<Icon of={ErrorIcon} small />
					<span className="selectable">Not sent: {failure}</span>
				</div>
			)}
			<SendBar {...props} />
		</div>
	);
}

const FIRST = ".cm-content, form input:not([type=radio]), form textarea, form input[type=radio]";

/** What is wrong with the item, its schema, or the text. */
function Faults({ call, draft, layout }: Pick<Props, "call" | "draft" | "layout">) {
	const { fault, empty } = draft.form;
	return (
		<>
			{call.problem !== null && (
				<div className="strip err">
					<Icon of={ErrorIcon} small />
					<span className="selectable">
						Our check of this item in <span className="mono">{call.list}</span>: {visible(call.problem)}
					</span>
				</div>
			)}
			{fault !== null && call.problem === null && (
				<div className="strip warn">
					<Icon of={WarnIcon} small />
					<span className="selectable">Our check: {visible(fault)}.</span>
				</div>
			)}
			{empty !== null && (
				<div className="strip">
					<span className="sub">
						{call.method === "prompts/get" ? "The prompt names no arguments." : empty} What is written here is
						sent all the same.
					</span>
				</div>
			)}
			{draft.view === "form" && layout.problem !== null && (
				<div className="strip warn">
					<Icon of={WarnIcon} small />
					<span className="grow">{layout.problem} The form shows JSON objects alone.</span>
					<button type="button" className="btn sm" onClick={() => draft.show("json")}>
						Edit as JSON
					</button>
				</div>
			)}
		</>
	);
}

/** A description is two lines until somebody asks for all of it. */
function Description({ text }: { text: string }) {
	const [open, setOpen] = useState(false);
	const long = text.length > 180 || text.trim().split("\n").length > 2;
	return (
		<div className={css.description}>
			<p className={open || !long ? undefined : css.clamp}>
				<Visible text={text.trim()} lines />
			</p>
			{long && (
				<button type="button" className={css.unfold} aria-expanded={open} onClick={() => setOpen(!open)}>
					{open ? "Less" : "More"}
				</button>
			)}
		</div>
	);
}

function firstLine(text: string | null): string {
	return text?.trim().split("\n")[0] ?? "";
}
