import { useMemo } from "react";
import { CopyButton } from "../../components/CopyButton";
import { SchemaForm } from "../../components/form/SchemaForm";
import { useStore } from "../../components/useStore";
import { Visible } from "../../components/Visible";
import type { Backend } from "../../ipc/backend";
import { sortFailures } from "../../model/form/checks";
import type { FormDraft } from "../../model/form/draft";
import { base } from "../../model/form/edit";
import { layout } from "../../model/form/rows";
import { addressOf, type Question } from "../../model/inputs";
import { useCheck } from "../tools/useCheck";
import css from "./Inputs.module.css";

interface Props {
	backend: Backend;
	question: Question;
	/** Null where the answer is written by hand. */
	draft: FormDraft | null;
}

/** A form, or an address that the user is to visit (client/elicitation). */
export function Elicitation({ backend, question, draft }: Props) {
	if (question.kind === "url") return <Address message={question.message} url={question.url} />;
	return (
		<>
			{question.kind === "form" && (
				<p className={css.message}>
					<Visible text={question.message} />
				</p>
			)}
			{question.kind === "form" && draft && (
				<Fields backend={backend} draft={draft} schema={question.schema} />
			)}
		</>
	);
}

function Fields({ backend, draft, schema }: { backend: Backend; draft: FormDraft; schema: string }) {
	useStore(draft);
	const { text, form, memory } = draft;
	const version = draft.version();
	const args = base(text);
	const check = useCheck(backend, schema, args);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the memory changes in place, with the version
	const laid = useMemo(() => layout(form, text, memory), [form, text, memory, version]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the memory changes in place, with the version
	const failures = useMemo(
		() => sortFailures(check?.problems ?? [], laid.rows, check?.of ?? args, args, memory),
		[check, laid, args, memory, version],
	);
	if (!form.root || laid.problem !== null) {
		return <p className="dim">This form cannot be drawn: answer with Raw answer.</p>;
	}
	return <SchemaForm draft={draft} layout={laid} failures={failures} label="Answer" />;
}

/** Where the server wants the user to go, in full. Nothing is fetched, and nothing opened without a click. */
function Address({ message, url }: { message: string; url: string }) {
	const { before, host, after, warnings } = addressOf(url);
	return (
		<>
			<p className={css.message}>
				<Visible text={message} lines />
			</p>
			<p className={`mono selectable ${css.url}`}>
				<span className="dim">
					<Visible text={before} />
				</span>
				<b>
					<Visible text={host} />
				</b>
				<span className="dim">
					<Visible text={after} />
				</span>
			</p>
			{warnings.map((warning) => (
				<p key={warning} className="sev-warning xs">
					Our check: {warning}
				</p>
			))}
			<p className="dim xs">
				It opens in your browser, where neither this app nor the server’s protocol can look on.
				<CopyButton text={() => url} label="Copy the address" />
			</p>
		</>
	);
}
