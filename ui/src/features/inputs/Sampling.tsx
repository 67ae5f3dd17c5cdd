import { useMemo } from "react";
import { TESTID } from "../../app/testids";
import { PrettyJson } from "../../components/PrettyJson";
import { Visible } from "../../components/Visible";
import type { Backend } from "../../ipc/backend";
import { readMessages } from "../../model/content";
import { at, type Json, text as textOf } from "../../model/json/tree";
import { Blocks } from "../tools/Blocks";
import css from "./Inputs.module.css";

interface Props {
	backend: Backend;
	/** Of `sampling/createMessage`. */
	params: Json | null;
	text: string;
	/** Null where the answer is written by hand. */
	onText: ((text: string) => void) | null;
}

/** What a model is asked, and what the user says in its place (client/sampling). */
export function Sampling({ backend, params, text, onText }: Props) {
	const system = textOf(at(params, "systemPrompt"));
	const messages = useMemo(() => readMessages(params), [params]);
	return (
		<>
			{system !== null && (
				<p className={`dim ${css.message}`}>
					<Visible text={system} />
				</p>
			)}
			{messages.length > 0 && (
				<div className={css.params}>
					<Blocks
						blocks={messages}
						acts={{ read: null, save: (name, base64) => backend.call("save_bytes", { name, base64 }) }}
					/>
				</div>
			)}
			<details open={messages.length === 0}>
				<summary className="dim">All that is asked, as JSON</summary>
				<div className={css.params}>
					<PrettyJson text={params?.raw ?? "{}"} numbers={false} label="What is asked" />
				</div>
			</details>
			{onText && (
				<textarea
					className={css.area}
					aria-label="What the model says"
					placeholder="What the model says"
					value={text}
					data-testid={TESTID.inputText}
					onChange={(event) => onText(event.target.value)}
				/>
			)}
		</>
	);
}
