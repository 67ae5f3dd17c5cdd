import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { useKeys } from "./keys";

it("a key that something else took is left alone, but a separator does not swallow the one that sends", () => {
	let sent = 0;
	function Window() {
		useKeys({
			"Mod+Enter": () => {
				sent += 1;
				return true;
			},
		});
		const take = (event: React.KeyboardEvent) => event.preventDefault();
		return (
			<>
				{/* biome-ignore lint/a11y/useSemanticElements: the splitter is no thematic break */}
				<div role="separator" tabIndex={0} aria-valuenow={1} onKeyDown={take} />
				<input onKeyDown={take} />
				<div data-own-keys>
					<button type="button">in a dialog</button>
				</div>
			</>
		);
	}
	render(<Window />);
	const send = { key: "Enter", ctrlKey: true };
	fireEvent.keyDown(screen.getByRole("textbox"), send);
	expect(sent).toBe(0);
	fireEvent.keyDown(screen.getByRole("separator"), send);
	expect(sent).toBe(1);
	// What lies under a dialog is not sent from it.
	fireEvent.keyDown(screen.getByRole("button"), send);
	expect(sent).toBe(1);
	// Enter alone moves the separator.
	fireEvent.keyDown(screen.getByRole("separator"), { key: "Enter" });
	expect(sent).toBe(1);
});
