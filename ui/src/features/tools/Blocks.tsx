import { type ReactNode, useMemo, useState } from "react";
import { TESTID } from "../../app/testids";
import { CodeView } from "../../components/CodeView";
import { CopyButton } from "../../components/CopyButton";
import { PrettyJson } from "../../components/PrettyJson";
import type { Block } from "../../model/content";
import { isJson } from "../../model/form/edit";
import { bytes } from "../../model/format";
import { visible } from "../../model/visible";
import { Picture } from "../viewers/Picture";
import type { Save } from "../viewers/SaveButton";
import { Viewer } from "../viewers/Viewer";
import css from "./Tools.module.css";

/** A text longer than this, beside others, scrolls in its own box. */
const MAX_INLINE = 16 * 1024;
/** A text up to this length is tried as JSON. */
const MAX_JSON = 1024 * 1024;

/** What can be done with blocks. */
export interface BlockActs {
	/** Reads what a resource link leads to; null where nothing can be read. */
	read: ((uri: string) => void) | null;
	save: Save;
}

interface Props {
	blocks: readonly Block[];
	acts: BlockActs;
}

/** Content blocks one below the other; a text alone has all of the room. */
export function Blocks({ blocks, acts }: Props) {
	const [only] = blocks;
	if (blocks.length === 1 && only?.kind === "text" && only.role === null)
		return <TextAlone text={only.text} note={only.note} />;
	if (blocks.length === 1 && only?.kind === "resource" && only.role === null) {
		return <Viewer media={only} save={acts.save} label={resourceLabel(only)} alone />;
	}
	return (
		<ol className={css.blocks}>
			{blocks.map((block, i) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other name than their place
				<li key={i}>
					{block.role !== null && (
						<p className={css.role}>
							<b>{visible(block.role)}</b>
							<span className="grow" />
							<CopyButton text={() => copied(block)} label={`Copy message ${i + 1}`} />
						</p>
					)}
					<BlockView block={block} acts={acts} />
				</li>
			))}
		</ol>
	);
}

/** What is copied of a block: its words where it has some, else the block as received. */
function copied(block: Block): string {
	return block.kind === "text" || (block.kind === "resource" && block.text !== null)
		? (block.text ?? "")
		: block.raw;
}

function TextAlone({ text, note }: { text: string; note: string | null }) {
	const json = useMemo(() => looksLikeJson(text), [text]);
	const [laid, setLaid] = useState(false);
	return (
		<div className={css.alone}>
			{(json || note !== null) && (
				<p className={css.blockHead}>
					text{note !== null && ` · ${visible(note)}`}
					<span className="grow" />
					{json && (
						<button
							type="button"
							className={`btn ghost sm ${laid ? "on" : ""}`}
							aria-pressed={laid}
							onClick={() => setLaid(!laid)}
						>
							Lay out as JSON
						</button>
					)}
				</p>
			)}
			{laid ? (
				<PrettyJson text={text} numbers={false} label="Content" />
			) : (
				<CodeView text={text} wrap label="Content" />
			)}
		</div>
	);
}

function BlockView({ block, acts }: { block: Block; acts: BlockActs }): ReactNode {
	switch (block.kind) {
		case "text":
			return (
				<>
					<Head what="text" facts={[bytes(new Blob([block.text]).size)]} note={block.note} />
					<Text text={block.text} />
				</>
			);
		case "image":
			return (
				<>
					<Head what="image" facts={[block.mime, bytes(block.size)]} note={block.note} />
					<Picture src={`data:${block.mime};base64,${block.data}`} />
				</>
			);
		case "audio":
			return (
				<>
					<Head what="audio" facts={[block.mime, bytes(block.size)]} note={block.note} />
					{/* biome-ignore lint/a11y/useMediaCaption: a tool's sound comes without captions */}
					<audio controls preload="metadata" src={`data:${block.mime};base64,${block.data}`} />
				</>
			);
		case "resource":
			return <Viewer media={block} save={acts.save} label={resourceLabel(block)} alone={false} />;
		case "link":
			return (
				<>
					<Head
						what="resource link"
						facts={[block.mime, block.size === null ? null : bytes(block.size)]}
						note={block.note}
					/>
					<p className={css.link}>
						{visible(block.name)} <span className="mono dim">{visible(block.uri)}</span>
						{block.description !== null && <span className="sub"> {visible(block.description)}</span>}{" "}
						{acts.read && (
							<button
								type="button"
								className="btn sm"
								data-testid={TESTID.openLink}
								onClick={() => acts.read?.(block.uri)}
							>
								Read
							</button>
						)}
					</p>
				</>
			);
		case "unknown":
			return (
				<>
					<Head
						what={`block of type ${block.type}`}
						facts={[
							block.why === null
								? null
								: `not shown as ${block.type === "image" ? "a picture" : "a sound"}: ${block.why}`,
							bytes(new Blob([block.raw]).size),
						]}
						note={block.note}
					/>
					<Text text={block.raw} />
				</>
			);
	}
}

function resourceLabel({ uri, mime, size, note }: Block & { kind: "resource" }): string {
	const facts = ["resource", uri, mime, size === null ? null : bytes(size), note];
	return facts
		.filter((fact) => fact !== null && fact !== "")
		.map((fact) => visible(fact ?? ""))
		.join(" · ");
}

function Head({ what, facts, note }: { what: string; facts: (string | null)[]; note: string | null }) {
	const said = [what, ...facts, note]
		.filter((fact) => fact !== null && fact !== "")
		.map((fact) => visible(fact ?? ""));
	return <p className={css.blockHead}>{said.join(" · ")}</p>;
}

function Text({ text }: { text: string }) {
	if (text.length > MAX_INLINE) {
		return (
			<div className={css.long}>
				<CodeView text={text} wrap label="Text" />
			</div>
		);
	}
	return <pre className={css.text}>{visibleLines(text)}</pre>;
}

function visibleLines(text: string): string {
	return text
		.split("\n")
		.map((line) => line.split("\t").map(visible).join("\t"))
		.join("\n");
}

function looksLikeJson(text: string): boolean {
	return /^\s*[[{]/.test(text) && text.length <= MAX_JSON && isJson(text);
}
