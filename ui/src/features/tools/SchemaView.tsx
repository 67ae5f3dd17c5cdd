import { useState } from "react";
import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { PrettyJson } from "../../components/PrettyJson";
import { Tabs } from "../../components/Tabs";
import type { Part } from "../../model/callable";

/** The schemas and the item as the server wrote them: every token as received, laid out over lines. */
export function SchemaView({ parts }: { parts: readonly Part[] }) {
	const [chosen, setChosen] = useState<string | null>(null);
	const shown =
		parts.find((part) => part.value === chosen && part.text !== null) ??
		parts.find((part) => part.text !== null);
	const text = shown?.text ?? "";
	return (
		<>
			<Tabs
				small
				label="Parts of the item"
				value={shown?.value ?? "item"}
				onChange={setChosen}
				tabs={parts.map(({ value, label, text: of }) => ({
					value,
					label,
					...(of === null ? { off: "The item has none" } : {}),
				}))}
				end={<CopyButton text={() => text} label="Copy as received" />}
			/>
			<PrettyJson
				key={shown?.value}
				text={text}
				foldBelow={6}
				label="Schema as received"
				testId={TESTID.schemaText}
			/>
		</>
	);
}
