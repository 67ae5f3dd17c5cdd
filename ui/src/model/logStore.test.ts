import { expect, it } from "vitest";
import { filterLines, type LogLine, readLine } from "./logStore";

const row = (params: string | null, summary = "") =>
	({
		seq: 1,
		at_us: 2,
		whole: params === null ? null : `{"method":"notifications/message","params":${params}}`,
		summary,
	}) as Parameters<typeof readLine>[0];

it.each([
	['{"level":"info","logger":"db","data":"one"}', "", ["info", "db", "one"]],
	['{"level":"loud","data":{"a":9007199254740993}}', "", ["loud", "", '{"a":9007199254740993}']],
	['{"data":null}', "", ["", "", "null"]],
	["[]", "", ["", "", ""]],
	[null, "info db: one: two", ["info", "db", "one: two"]],
	[null, 'info: {"a":1}', ["info", "", '{"a":1}']],
	[null, "odd", ["", "", "odd"]],
])("reads %s %s", (params, summary, expected) => {
	const { level, logger, text } = readLine(row(params, summary));
	expect([level, logger, text]).toEqual(expected);
});

const line = (level: string, logger: string, text: string): LogLine => ({
	seq: 1,
	at_us: 1,
	level,
	logger,
	text,
});
const LINES = [
	line("debug", "db", "one"),
	line("warning", "db", "two"),
	line("error", "", "Three"),
	line("loud", "http", "four"),
];

it.each([
	[{ level: "debug", logger: null, text: "" }, ["one", "two", "Three", "four"]],
	[{ level: "warning", logger: null, text: "" }, ["two", "Three", "four"]],
	[{ level: "debug", logger: "db", text: "" }, ["one", "two"]],
	[{ level: "debug", logger: "", text: "" }, ["Three"]],
	[{ level: "debug", logger: null, text: " three " }, ["Three"]],
])("%o lets through %o", (filter, texts) => {
	expect(filterLines(LINES, filter).map(({ text }) => text)).toEqual(texts);
});
