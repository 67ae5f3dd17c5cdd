import { useMemo, useState } from "react";
import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { count } from "../../model/format";
import {
	type FramePiece,
	framePieces,
	type Marks,
	maskedIn,
	metaRange,
	rangesOf,
} from "../../model/frameText";
import { visible } from "../../model/visible";
import css from "./Tools.module.css";
import type { Preview } from "./usePreview";

/** Longer text is cut for the eye: one line of JSON must not become ten thousand elements. */
const MAX_CHARS = 8000;

const CLASSES: Partial<Record<FramePiece["type"], string>> = {
	key: "j-key",
	string: "j-string",
	number: "j-number",
	literal: "j-literal",
	secret: "dim",
};

const TOO_LONG =
	"The tool takes a secret, and the frame is too long to look for it at every key: no value is shown.";

interface Props {
	preview: Preview;
	stdio: boolean;
	marks: Marks;
}

/** The exact frame, changed with every keystroke. */
export function WillSend({ preview: { row, failure }, stdio, marks }: Props) {
	return (
		<>
			<header className="phead">
				<h3>Will send</h3>
				{row && (
					<span className="mono dim">
						id {visible(row.id)} · {count(row.size)} B{stdio && " + LF"}
					</span>
				)}
				<span className="grow" />
				{row && maskedIn(row.text, marks.secret) === "all" ? (
					<span className="dim xs" title={TOO_LONG}>
						long: values shown masked, sent in full
					</span>
				) : (
					((marks.secret?.length ?? 0) > 0 || row?.text.includes("••••")) && (
						<span className="dim xs">secret shown masked, sent in full</span>
					)
				)}
				{row && <CopyButton text={() => row.text} label="Copy the frame" />}
			</header>
			<div className={css.send} data-testid={TESTID.willSend}>
				{row ? (
					<FrameText text={row.text} marks={marks} />
				) : (
					<span className="dim xs">{failure ?? "Choose a tool to see the exact frame."}</span>
				)}
				{row && row.headers.length > 0 && (
					<p className={css.sendHeaders}>
						{row.headers.map(([name, value]) => (
							<span key={name} className="mono">
								<span className="dim">{visible(name)}:</span> {visible(value)}{" "}
							</span>
						))}
					</p>
				)}
			</div>
		</>
	);
}

/** A frame in one run: wrapped, never laid out. */
function FrameText({ text, marks }: { text: string; marks: Marks }) {
	const [whole, setWhole] = useState(false);
	const pieces = useMemo(
		() =>
			framePieces(
				text,
				rangesOf(text, marks.failing),
				maskedIn(text, marks.secret),
				whole ? null : metaRange(text),
				MAX_CHARS,
			),
		[text, marks, whole],
	);
	return (
		<code>
			<bdi>
				{pieces.map((piece) => (
					<Piece key={piece.from} piece={piece} onOpen={() => setWhole(true)} />
				))}
				{text.length > MAX_CHARS && (
					<span className="dim"> … {count(text.length - MAX_CHARS)} more characters</span>
				)}
			</bdi>
		</code>
	);
}

function Piece({ piece, onOpen }: { piece: FramePiece; onOpen: () => void }) {
	if (piece.type === "fold") {
		return (
			<button type="button" className={css.metaFold} title="Show what this app adds" onClick={onOpen}>
				{piece.text}
			</button>
		);
	}
	const name = [CLASSES[piece.type], piece.bad ? css.wavy : ""].filter((part) => part).join(" ");
	return name === "" ? visible(piece.text) : <span className={name}>{visible(piece.text)}</span>;
}
