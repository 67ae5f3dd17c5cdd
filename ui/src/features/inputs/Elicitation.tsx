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
import type { Question } from "../../model/inputs";
import { visible } from "../../model/visible";
import { useCheck } from "../tools/useCheck";
import css from "./Inputs.module.css";

interface Props {
	backend: Backend;
	question: Question;
	/** Null where the answer is written by hand. */
	draft: FormDraft | null;
}

/** A form, or a URL that the user is to visit. Nothing is opened or fetched by this app (client/elicitation). */
export function Elicitation({ backend, question, draft }: Props) {
	if (question.kind === "url") {
		return (
			<>
				<p className={css.message}>
					<Visible text={question.message} />
				</p>
				<p className={`mono selectable ${css.url}`}>
					<Visible text={question.url} />
				</p>
				<p className="dim xs">
					The server wants you to open this address of <b>{visible(hostOf(question.url))}</b>. This app does
					not open it: copy it, and accept once you have decided to.
					<CopyButton text={() => Promise.resolve(question.url)} label="Copy the address" />
				</p>
			</>
		);
	}
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

function hostOf(url: string): string {
	try {
		return new URL(url).host;
	} catch {
		return "an address that cannot be read";
	}
}
