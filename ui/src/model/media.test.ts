import { expect, it } from "vitest";
import { base64Of, bytesOf, dataUrl, fileNameOf, viewsOf } from "./media";

it.each([
	["application/json", "{}", null, ["json", "text"]],
	["application/geo+json; charset=utf-8", "{}", null, ["json", "text"]],
	[null, ' {"a":1}', null, ["text", "json"]],
	[null, "{broken", null, ["text"]],
	["Text/Markdown", "# x", null, ["markdown", "text"]],
	["text/html", "<script>", null, ["text"]],
	["image/svg+xml", "<svg/>", null, ["picture", "text"]],
	["image/png", null, "AAAA", ["picture", "bytes"]],
	["image/png,x", null, "AAAA", ["bytes"]],
	["image/tiff", null, "AAAA", ["bytes"]],
	["audio/wav", null, "AAAA", ["sound", "bytes"]],
	["application/pdf", null, "AAAA", ["bytes"]],
	["text/html", null, "AAAA", ["bytes"]],
	["image/png", null, null, []],
])("%s with text %s and blob %s", (mime, text, blob, views) => {
	expect(viewsOf({ mime, text, blob })).toEqual(views);
});

it("text is saved as its UTF-8", () => {
	expect(new TextDecoder().decode(bytesOf(base64Of("é 日 🚀\u0000")))).toBe("é 日 🚀\u0000");
});

it("a data URL keeps text apart from its type", () => {
	expect(dataUrl({ mime: "image/svg+xml;x=,", text: "<svg>#%", blob: null })).toBe(
		"data:image/svg+xml;charset=utf-8,%3Csvg%3E%23%25",
	);
});

it.each([
	["docs://a/sheet.pdf?x=/y", "sheet.pdf"],
	["file:///etc/..%2Fpasswd", ".._2Fpasswd"],
	["demo:", "resource"],
	["x://a\\..\\b", "b"],
])("%s is saved as %s", (uri, name) => expect(fileNameOf(uri)).toBe(name));
