import { TESTID } from "../../app/testids";
import { CodeEdit } from "../../components/CodeEdit";
import { Icon } from "../../components/Icon";
import { ErrorIcon } from "../../components/icons";
import type { Failures } from "../../model/form/checks";
import type { FormDraft } from "../../model/form/draft";
import { compact } from "../../model/json/compact";
import { pretty } from "../../model/json/pretty";
import { visible } from "../../model/visible";
import css from "./Tools.module.css";

/** Lines of what fails; the form shows all of them. */
const MAX_LINES = 5;

interface Props {
	draft: FormDraft;
	failures: Failures;
	onSend: () => void;
}

/** The arguments' text itself. What is typed is what is sent; laying it out changes the spaces between tokens alone. */
export function JsonView({ draft, failures, onSend }: Props) {
	const all = [...failures.byRow.values(), failures.others].flat().filter((failure) => !failure.waved);
	return (
		<>
			<CodeEdit
				value={draft.text}
				onChange={(text) => draft.type(text)}
				onSubmit={onSend}
				label="Arguments as JSON"
				testId={TESTID.argsEditor}
			/>
			{all.slice(0, MAX_LINES).map((failure) => (
				<p key={failure.key} className={css.jsonFault}>
					<Icon of={ErrorIcon} small />
					<span className="trunc grow" title={visible(failure.problem.message)}>
						Our check: <span className="mono">{visible(failure.pointer)}</span>{" "}
						{visible(failure.problem.message)}
					</span>
					<button type="button" className="btn sm danger" onClick={() => draft.wave(failure.key)}>
						Send anyway
					</button>
				</p>
			))}
			<p className={css.jsonTools}>
				<button type="button" className="btn ghost sm" onClick={() => draft.type(pretty(draft.text).text)}>
					Lay out
				</button>
				<button type="button" className="btn ghost sm" onClick={() => draft.type(compact(draft.text))}>
					Compact
				</button>
				<button type="button" className="btn ghost sm" onClick={() => draft.reset()}>
					Start anew
				</button>
				<span className="dim xs trunc">
					{draft.text.trim() === "" ? "No text: sent without arguments." : "Sent as it stands here."}
				</span>
			</p>
		</>
	);
}
