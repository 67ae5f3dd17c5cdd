import { expect, it } from "vitest";
import { readJson } from "./json/tree";
import { skillCall } from "./skills";

const skill = (text: string) => skillCall(readJson(text) as NonNullable<ReturnType<typeof readJson>>);

it("a skill is read by its URI, and its files are facts", () => {
	const call = skill(
		'{"uri":"skill://a/SKILL.md","frontmatter":{"name":"a","description":"Does a"},"resources":[{"uri":"skill://a/x.py","digest":"sha256:00","size":1300}]}',
	);
	expect([call.name, call.description, call.problem, call.method]).toEqual([
		"a",
		"Does a",
		null,
		"resources/read",
	]);
	expect(JSON.parse(call.schema ?? "").properties.uri.default).toBe("skill://a/SKILL.md");
	expect(call.about().facts).toEqual([
		{ name: "URI", value: "skill://a/SKILL.md" },
		{ name: "file", value: "skill://a/x.py · 1.3\u00a0kB · sha256:00" },
	]);
});

it.each([
	['{"uri":"skill://a/SKILL.md","frontmatter":{}}', "Its frontmatter has no name."],
	['{"frontmatter":{"name":"a"},"resources":"dynamic"}', "The item has no uri: a skill needs one."],
	["7", "The item has no uri: a skill needs one."],
])("%s is a skill with a problem", (text, problem) => expect(skill(text).problem).toBe(problem));
