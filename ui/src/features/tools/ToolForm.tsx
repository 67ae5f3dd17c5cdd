import { useEffect, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { SchemaForm } from "../../components/form/SchemaForm";
import { Icon } from "../../components/Icon";
import { ErrorIcon, WarnIcon } from "../../components/icons";
import { MOD, useKeys } from "../../components/keys";
import { Segments } from "../../components/Segments";
import { Visible } from "../../components/Visible";
import type { ToolRow } from "../../ipc/bindings/ToolRow";
import type { Failures } from "../../model/form/checks";
import type { FormDraft } from "../../model/form/draft";
import type { Layout } from "../../model/form/rows";
import type { SendState } from "../../model/sendState";
import { visible } from "../../model/visible";
import { JsonView } from "./JsonView";
import { SchemaView } from "./SchemaView";
import { SendBar } from "./SendBar";
import css from "./Tools.module.css";

/** A description up to this length is read in the header. */
const HEADLINE = 56;

interface Props {
	tool: ToolRow;
	draft: FormDraft;
	layout: Layout;
	failures: Failures;
	/** Why all or part of the arguments was not checked. */
	unchecked: string | null;
	/** What this app says about the params as a whole: no JSON, no object. */
	problem: string | null;
	send: SendState;
	/** Why the last sending failed on our side. */
	failure: string | null;
	timeoutMs: number | null;
	/** A destructive tool waits for a yes. */
	asking: boolean;
	onSend: (confirmed?: boolean) => void;
	onCancel: () => void;
}

type View = "form" | "json" | "schema";

/** A tool's arguments as fields or as JSON, and the button that sends them. */
export function ToolForm(props: Props) {
	const { tool, draft, layout, failures, failure } = props;
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
	const headline = tool.title ?? firstLine(tool.description);
	return (
		<div className="pane" data-tool={tool.name}>
			<header className={`phead ${css.title}`}>
				<span className="mono strong trunc">
					<Visible text={tool.name} />
				</span>
				<span className="sub trunc grow" title={visible(headline)}>
					{visible(headline)}
				</span>
				<Segments
					label={`View of the arguments, ${MOD} J`}
					value={view}
					onChange={show}
					options={[
						...(draft.form.root ? [{ value: "form" as const, label: "Form", testId: TESTID.formView }] : []),
						{ value: "json", label: "JSON", testId: TESTID.jsonView },
						{ value: "schema", label: "Schema", testId: TESTID.schemaView },
					]}
				/>
			</header>
			<Faults tool={tool} draft={draft} layout={layout} />
			{tool.description !== null && (tool.description !== headline || headline.length > HEADLINE) && (
				<Description text={tool.description} />
			)}
			<div ref={body} className={css.body} data-arguments>
				{view === "schema" && <SchemaView tool={tool} />}
				{view === "json" && <JsonView draft={draft} failures={failures} onSend={() => props.onSend()} />}
				{view === "form" && layout.problem === null && (
					<SchemaForm
						draft={draft}
						layout={layout}
						failures={failures}
						label={`Arguments of ${tool.name}`}
						testId={TESTID.form}
					/>
				)}
			</div>
			{failure && (
				<div className="strip err" role="alert">
					<Icon of={ErrorIcon} small />
					<span className="selectable">Not sent. {failure}</span>
				</div>
			)}
			<SendBar {...props} />
		</div>
	);
}

const FIRST = ".cm-content, form input:not([type=radio]), form textarea, form input[type=radio]";

/** What is wrong with the item, its schema, or the text. */
function Faults({ tool, draft, layout }: Pick<Props, "tool" | "draft" | "layout">) {
	const { fault, empty } = draft.form;
	return (
		<>
			{tool.problem !== null && (
				<div className="strip err">
					<Icon of={ErrorIcon} small />
					<span className="selectable">
						Our check of this item in <span className="mono">tools/list</span>: {visible(tool.problem)}
					</span>
				</div>
			)}
			{fault !== null && tool.problem === null && (
				<div className="strip warn">
					<Icon of={WarnIcon} small />
					<span className="selectable">Our check: {visible(fault)}.</span>
				</div>
			)}
			{empty !== null && (
				<div className="strip">
					<span className="sub">{empty} What is written here is sent all the same.</span>
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
