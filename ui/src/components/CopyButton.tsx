import { useState } from "react";
import { copyText } from "./clipboard";
import { Icon } from "./Icon";
import { CopyIcon, OkIcon } from "./icons";

/** Copies text; `text` is asked for when it is needed. */
export function CopyButton({ text, label }: { text: () => string | Promise<string>; label: string }) {
	const [done, setDone] = useState(false);
	const copy = async () => {
		await copyText(await text());
		setDone(true);
		setTimeout(() => setDone(false), 1200);
	};
	return (
		<button
			type="button"
			className="btn ghost sm ico"
			aria-label={label}
			title={label}
			onClick={() => void copy().catch(() => undefined)}
		>
			<Icon of={done ? OkIcon : CopyIcon} />
		</button>
	);
}
