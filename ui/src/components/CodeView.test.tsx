import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { CodeEdit } from "./CodeEdit";
import { CodeView } from "./CodeView";

const LONG = `"${"x".repeat(256 * 1024)}"`;

it.each([
	["to read", <CodeView key="" text={LONG} wrap label="Text" />],
	[
		"to edit",
		<CodeEdit key="" value={LONG} label="Text" onChange={() => undefined} onSubmit={() => undefined} />,
	],
])("a long line %s that wraps leaves room below for what is out of sight, not beside", (_, view) => {
	render(view);
	const text = screen.getByLabelText("Text");
	expect(text.textContent?.length).toBeLessThan(20_000);
	const rest = text.querySelector<HTMLElement>("div[style]");
	expect(Number.parseFloat(rest?.style.height ?? "")).toBeGreaterThan(10_000);
});
