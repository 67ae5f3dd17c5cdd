import { useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { SaveIcon } from "../../components/icons";
import { words } from "../../model/errors";
import { base64Of, fileNameOf } from "../../model/media";

/** Writes bytes where the user says: the path, or null where they cancelled. */
export type Save = (name: string, base64: string) => Promise<string | null>;

interface Props {
	uri: string;
	text: string | null;
	blob: string | null;
	save: Save;
}

/** Saves contents as a file, byte by byte as received; another program can open it from there. */
export function SaveButton({ uri, text, blob, save }: Props) {
	const [said, setSaid] = useState<{ bad: boolean; text: string } | null>(null);
	const act = async () => {
		try {
			const path = await save(fileNameOf(uri), blob ?? base64Of(text ?? ""));
			setSaid(path === null ? null : { bad: false, text: `Saved as ${path}` });
		} catch (error) {
			setSaid({ bad: true, text: words(error) });
		}
	};
	return (
		<>
			{said && (
				<span className={`trunc ${said.bad ? "sev-error" : ""}`} title={said.text}>
					{said.text}
				</span>
			)}
			<button
				type="button"
				className="btn ghost sm ico"
				aria-label="Save as a file"
				title="Save as a file"
				data-testid={TESTID.saveContents}
				onClick={() => void act()}
			>
				<Icon of={SaveIcon} small />
			</button>
		</>
	);
}
