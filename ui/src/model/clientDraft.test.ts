import { expect, it } from "vitest";
import { ASKED, answersTo, keptText, problemOf, shownText } from "./clientDraft";
import { isJson } from "./form/edit";

const row = {
	info: null,
	legacy: null,
	modern: null,
	defaults: { info: '{"name":"framescope","version":"0.1.0"}', legacy: "{}", modern: "{}" },
	rules: [],
};

it("what says the same as this app by itself is not kept", () => {
	const shown = shownText(row, row, "info");
	expect(shown).toContain('"name": "framescope"');
	expect(keptText(row, "info", shown)).toBeNull();
	expect(keptText(row, "info", " \n")).toBeNull();
	expect(keptText(row, "info", `${shown} `)).toBe(`${shown} `);
	expect(shownText(row, { ...row, info: '{"a":1}' }, "info")).toBe('{"a":1}');
});

it.each([
	[null, null],
	['{"a":1.0}', null],
	["[1]", "This is no JSON object."],
	['{"a"', "This is not JSON."],
])("our check of %s says %s", (text, problem) => expect(problemOf(text)).toBe(problem));

it.each(ASKED)("every canned answer to %s is JSON", (method) => {
	for (const { answer } of answersTo(method)) {
		if (answer.kind === "result") expect(isJson(answer.json)).toBe(true);
	}
});
