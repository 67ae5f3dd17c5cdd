import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { CopyButton } from "./CopyButton";

afterEach(() => {
	vi.unstubAllGlobals();
});

it("says what was not copied, and says nothing where it was", async () => {
	const copied: string[] = [];
	let refuses = false;
	vi.stubGlobal("navigator", {
		clipboard: {
			writeText: async (text: string) => {
				if (refuses) throw new Error("denied");
				copied.push(text);
			},
		},
	});
	// The old way, which jsdom does not have at all.
	document.execCommand = () => false;
	render(<CopyButton text={() => "a frame"} label="Copy the frame" />);
	const button = () => screen.getByRole("button").getAttribute("aria-label");
	fireEvent.click(screen.getByRole("button"));
	await waitFor(() => expect(copied).toEqual(["a frame"]));
	expect(button()).toBe("Copy the frame");
	refuses = true;
	fireEvent.click(screen.getByRole("button"));
	await waitFor(() => expect(button()).toBe("Not copied: the system refused the clipboard"));
});
