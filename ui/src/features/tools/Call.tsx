import { type ReactNode, useMemo, useState } from "react";
import { useKeys } from "../../components/keys";
import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import type { Callable } from "../../model/callable";
import type { CallStore } from "../../model/calls";
import { words } from "../../model/errors";
import { sortFailures } from "../../model/form/checks";
import type { FormDraft } from "../../model/form/draft";
import { base } from "../../model/form/edit";
import type { Form } from "../../model/form/form";
import type { FormMemory } from "../../model/form/memory";
import { type Layout, layout, secretPlaces } from "../../model/form/rows";
import { MAX_MARKED, type Marks } from "../../model/frameText";
import { sendState, sessionToSend } from "../../model/sendState";
import { CallForm } from "./CallForm";
import { useCheck } from "./useCheck";
import { useCompletion } from "./useCompletion";
import { type Preview, usePreview } from "./usePreview";

interface Props {
	app: AppStore;
	calls: CallStore;
	row: SessionRow;
	call: Callable;
	draft: FormDraft;
	/** Beside the button that sends. */
	beside?: ((params: string) => ReactNode) | undefined;
	children: (form: ReactNode, preview: Preview, marks: Marks) => ReactNode;
}

const NO_ROWS: Layout = { rows: [], problem: null, hidden: 0 };

/** The values that are secret; null where a text is too long to look for them and its schema declares some. */
function secretsOf(form: Form, text: string, memory: FormMemory): string[] | null {
	if (text.length <= MAX_MARKED) return secretPlaces(form, text, memory);
	return form.secrets ? null : [];
}

/** One call from its fields to its frame. */
export function Call({ app, calls, row, call, draft, beside, children }: Props) {
	useStore(draft);
	useStore(calls);
	const { text, form, memory } = draft;
	const args = base(text);
	const version = draft.version();
	const params = useMemo(() => call.params(text), [call, text]);
	const preview = usePreview(app.backend, row.id, call.method, params, calls.version());
	const send = sendState(row, app.serverRow);
	const check = useCheck(app.backend, call.schema, args);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the memory changes in place, with the version
	const laid = useMemo(
		// A long text in the JSON view need not be laid out at every key.
		() => (draft.view === "form" ? layout(form, text, memory) : NO_ROWS),
		[draft, form, text, memory, version],
	);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the memory changes in place, with the version
	const failures = useMemo(
		() => sortFailures(check?.problems ?? [], laid.rows, check?.of ?? args, args, memory),
		[check, laid, args, memory, version],
	);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the memory changes in place, with the version
	const secrets = useMemo(
		// In the JSON view a secret stands beside the frame anyway.
		() => (draft.view === "form" ? secretsOf(form, text, memory) : []),
		[draft, form, text, memory, version],
	);
	const marks = useMemo(
		() => ({
			failing: [...failures.byRow.values(), failures.others]
				.flat()
				.filter((failure) => !failure.waved && failure.problem.missing === null)
				.map((failure) => failure.pointer),
			secret: secrets,
		}),
		[failures, secrets],
	);
	const [failure, setFailure] = useState<string | null>(null);
	const [asking, setAsking] = useState<"one" | "both" | null>(null);

	const server = app.server ?? row.id;
	const onSend = async (eras: "one" | "both", confirmed = false) => {
		if (send.off !== null) return;
		if (call.destructive && !confirmed && !app.drafts.isAllowed(row.id, call.name)) {
			setAsking(eras);
			return;
		}
		setAsking(null);
		setFailure(null);
		for (const one of laid.rows) memory.touched.add(one.id);
		try {
			const to = await sessionToSend(app, row, send);
			if (to === null) return;
			if (call.destructive) app.drafts.allow(to, call.name);
			// What is typed now: a token may have been added by the key that sends.
			const latest = call.params(draft.text);
			const request = { method: call.method, params: latest, timeout_ms: null, headers: [] };
			if (eras === "both") void app.bothEras.send(server, to, call.name, request);
			else {
				app.bothEras.close(server);
				await calls.send(to, request);
			}
		} catch (error) {
			setFailure(words(error));
		}
	};

	const complete = useCompletion(app, row, call, draft);

	useKeys({
		"Mod+Enter": () => {
			void onSend("one");
			return true;
		},
	});

	return children(
		<CallForm
			call={call}
			draft={draft}
			layout={laid}
			failures={failures}
			complete={complete}
			unchecked={check?.unchecked ?? null}
			problem={preview.row?.problem ?? null}
			send={send}
			failure={failure}
			beside={beside?.(params)}
			timeoutMs={app.serverRow?.timeout_ms ?? null}
			asking={asking !== null}
			both={row.server_id !== null && send.off === null && !send.connects}
			onSend={(confirmed) => void onSend(asking ?? "one", confirmed)}
			onBoth={() => void onSend("both")}
			onCancel={() => setAsking(null)}
		/>,
		preview,
		marks,
	);
}
