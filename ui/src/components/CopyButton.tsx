import { useState } from "react";
import { copyText } from "./clipboard";
import { Icon } from "./Icon";
import { CopyIcon, ErrorIcon, OkIcon } from "./icons";

const ICONS = { idle: CopyIcon, done: OkIcon, failed: ErrorIcon } as const;

/** Copies text; `text` is asked for when it is needed. */
export function CopyButton({ text, label }: { text: () => string | Promise<string>; label: string }) {
	const [state, setState] = useState<"idle" | "done" | "failed">("idle");
	const copy = async () => {
		const copied = await Promise.resolve(text())
			.then(copyText)
			.then(
				() => "done" as const,
				() => "failed" as const,
			);
		setState(copied);
		setTimeout(() => setState("idle"), copied === "done" ? 1200 : 4000);
	};
	const said = state === "failed" ? "Not copied: the system refused the clipboard" : label;
	return (
		<button
			type="button"
			className="btn ghost sm ico"
			aria-label={said}
			title={said}
			onClick={() => void copy()}
		>
			<Icon of={ICONS[state]} />
		</button>
	);
}
