import { useState } from "react";
import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { PrettyJson } from "../../components/PrettyJson";
import { Tabs } from "../../components/Tabs";
import type { ToolRow } from "../../ipc/bindings/ToolRow";

/** The schemas and the item as the server wrote them: every token as received, laid out over lines. */
export function SchemaView({ tool }: { tool: ToolRow }) {
	const parts = [
		{ value: "input", label: "inputSchema", text: tool.input_schema },
		{ value: "output", label: "outputSchema", text: tool.output_schema },
		{ value: "item", label: "Whole item", text: tool.raw },
	];
	const [chosen, setChosen] = useState<string | null>(null);
	const shown =
		parts.find((part) => part.value === chosen && part.text !== null) ??
		parts.find((part) => part.text !== null);
	const text = shown?.text ?? tool.raw;
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
