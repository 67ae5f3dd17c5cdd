import { useMemo, useState } from "react";
import { TESTID } from "../../app/testids";
import { CodeView } from "../../components/CodeView";
import { PrettyJson } from "../../components/PrettyJson";
import { Tabs } from "../../components/Tabs";
import { Visible } from "../../components/Visible";
import type { CheckRow } from "../../ipc/bindings/CheckRow";
import type { FrameBody } from "../../ipc/bindings/FrameBody";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import type { Content } from "../../model/content";
import { bytes } from "../../model/format";
import { visible } from "../../model/visible";
import { type BlockActs, Blocks } from "./Blocks";
import { ErrorView } from "./ErrorView";
import { SchemaCheck } from "./SchemaCheck";
import css from "./Tools.module.css";

/** Bytes up to which a result is taken apart whole. */
const MAX_WHOLE = 4 * 1024 * 1024;

interface Props {
	answer: RecordRow;
	body: FrameBody;
	content: Content;
	/** The tool's `outputSchema`. */
	schema: string | null;
	check: CheckRow | null;
	onAll: () => void;
	acts: BlockActs;
}

/** Views of an answer: its content, its structured content, what our check says, the bytes. */
export function AnswerViews({ answer, body, content, schema, check, onAll, acts }: Props) {
	const [chosen, setChosen] = useState<string | null>(null);
	const problems = check?.problems ?? NONE;
	const pins = useMemo(
		() => problems.map((problem) => ({ pointer: problem.path, text: problem.message })),
		[problems],
	);
	const value = chosen ?? first(content, answer.method);
	const off = answer.kind === "error" ? "The answer is an error" : "The result has none";
	const noCheck =
		schema === null ? "The tool declares no outputSchema" : content.structured === null ? off : undefined;
	return (
		<>
			<Tabs
				small
				label="Views of the result"
				value={value}
				onChange={setChosen}
				tabs={[
					content.error
						? { value: "content", label: "Error" }
						: {
								value: "content",
								label: content.title,
								...(content.blocks.length > 0 ? { count: content.blocks.length } : { off }),
							},
					...(answer.method === "tools/call"
						? [
								{ value: "structured", label: "Structured", ...(content.structured === null ? { off } : {}) },
								{
									value: "check",
									label: "Schema check",
									...(noCheck === undefined
										? { count: problems.length > 0 ? problems.length : "" }
										: { off: noCheck }),
								},
							]
						: [{ value: "result", label: "Result", ...(content.result === null ? { off } : {}) }]),
					{ value: "raw", label: "Raw" },
				]}
				end={
					content.resultType !== null && (
						<span className={`dim ${css.type}`}>resultType {visible(content.resultType)}</span>
					)
				}
			/>
			{!body.complete && (
				<div className="strip inf">
					Showing 256 KiB of {bytes(body.size)}
					<span className="grow" />
					{body.size <= MAX_WHOLE ? (
						<button type="button" className="btn sm" onClick={onAll}>
							Show all
						</button>
					) : (
						<span className="dim">The frame shows all of it.</span>
					)}
				</div>
			)}
			<div className={css.out} data-testid={TESTID.resultBody}>
				{value === "content" &&
					(content.error ? <ErrorView error={content.error} /> : <Said content={content} acts={acts} />)}
				{value === "structured" && content.structured !== null && (
					<PrettyJson text={content.structured} numbers={false} label="Structured content" pins={pins} />
				)}
				{value === "result" && content.result !== null && (
					<PrettyJson text={content.result} numbers={false} label="Result" />
				)}
				{value === "check" && schema !== null && <SchemaCheck check={check} schema={schema} />}
				{value === "raw" && <CodeView text={body.text} json wrap label="The response as received" />}
			</div>
		</>
	);
}

/** The blocks, under what a prompt says of itself. */
function Said({ content, acts }: Pick<Props, "content" | "acts">) {
	const { description, blocks } = content;
	if (description === null) return <Blocks blocks={blocks} acts={acts} />;
	return (
		<div className={css.alone}>
			<p className={css.say}>
				<Visible text={description} lines />
			</p>
			<Blocks blocks={blocks} acts={acts} />
		</div>
	);
}

const NONE: CheckRow["problems"] = [];

/** What is opened first: what a model would read. */
function first({ error, blocks, structured, result }: Content, method: string | null): string {
	if (error || blocks.length > 0) return "content";
	if (method !== "tools/call") return result === null ? "raw" : "result";
	return structured === null ? "raw" : "structured";
}
