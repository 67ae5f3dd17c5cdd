import { pieces } from "../model/visible";

/**
 * Text from outside: characters that cannot be seen are written out, and its direction cannot leak. With `lines`, line
 * feeds and tabs do what they say.
 */
export function Visible({ text, lines = false }: { text: string; lines?: boolean }) {
	const parts = pieces(text, lines);
	if (parts.length === 1 && parts[0]?.invisible === false) return <bdi>{text}</bdi>;
	return (
		<bdi>
			{parts.map((part, i) =>
				part.invisible ? (
					// biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name
					<span key={i} className="ctl">
						{part.text}
					</span>
				) : (
					part.text
				),
			)}
		</bdi>
	);
}
