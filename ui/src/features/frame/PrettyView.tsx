import { TESTID } from "../../app/testids";
import { AnsiText } from "../../components/AnsiText";
import { CodeView } from "../../components/CodeView";
import { PrettyJson } from "../../components/PrettyJson";
import type { FrameBody } from "../../ipc/bindings/FrameBody";
import type { RecordRow } from "../../ipc/bindings/RecordRow";
import { visible } from "../../model/visible";
import css from "./Frame.module.css";

/** Kinds that are shown as the text they are, whatever it looks like. */
const TEXT = new Set(["stderr", "malformed"]);
/** Longer lines of stderr are shown without their colours, in a view that holds any length. */
const MAX_ANSI = 20_000;

interface Props {
	row: RecordRow;
	body: FrameBody;
	/** Everything is folded or unfolded; only what lies deep where null. */
	folded?: boolean | null;
}

/** A record laid out for reading. */
export function PrettyView({ row, body, folded = null }: Props) {
	const label = `Frame ${row.seq}, laid out`;
	const text = body.message || body.text;
	if (body.text === "") {
		return (
			<p className="empty selectable" data-testid={TESTID.detailBody}>
				<span className="mono">{visible(row.summary)}</span>
			</p>
		);
	}
	if (row.kind === "stderr" && body.text.length <= MAX_ANSI) {
		return (
			<pre className={css.text} data-testid={TESTID.detailBody}>
				<AnsiText text={body.text} />
			</pre>
		);
	}
	const isJson = !TEXT.has(row.kind) && /^\s*[{[]/.test(text);
	if (isJson) {
		// The root stays open.
		const foldBelow = folded === null ? 3 : folded ? 1 : Number.POSITIVE_INFINITY;
		return (
			<PrettyJson key={row.seq} text={text} foldBelow={foldBelow} label={label} testId={TESTID.detailBody} />
		);
	}
	return <CodeView key={row.seq} text={text} wrap label={label} testId={TESTID.detailBody} />;
}
