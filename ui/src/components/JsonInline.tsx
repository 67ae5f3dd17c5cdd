import { memo, type ReactNode } from "react";
import { scan, type TokenType } from "../model/json/scan";
import { visible } from "../model/visible";

const CLASSES: Partial<Record<TokenType, string>> = {
	key: "j-key",
	string: "j-string",
	number: "j-number",
	literal: "j-literal",
};

/** Longer text is cut for the eye: one line of JSON must not become ten thousand elements. */
const MAX_CHARS = 8000;

/** JSON text as received, coloured, in one run. */
export const JsonInline = memo(function JsonInline({ text }: { text: string }) {
	const shown = text.slice(0, MAX_CHARS);
	const out: ReactNode[] = [];
	let done = 0;
	scan(shown, (type, from, to) => {
		const name = CLASSES[type];
		if (!name) return;
		if (from > done) out.push(visible(shown.slice(done, from)));
		out.push(
			<span key={from} className={name}>
				{visible(shown.slice(from, to))}
			</span>,
		);
		done = to;
	});
	if (done < shown.length) out.push(visible(shown.slice(done)));
	return (
		<bdi>
			{out}
			{text.length > shown.length && (
				<span className="dim"> … {text.length - shown.length} more characters</span>
			)}
		</bdi>
	);
});
