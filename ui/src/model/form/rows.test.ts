/** What a frame shows of a secret does not depend on what of the form is in sight. */
import { expect, it } from "vitest";
import { readForm } from "./form";
import { FormMemory } from "./memory";
import { layout, secretPlaces } from "./rows";

const SCHEMA = JSON.stringify({
	type: "object",
	properties: {
		user: { type: "string" },
		login: { type: "object", properties: { password: { type: "string", format: "password" } } },
		keys: {
			type: "array",
			items: { type: "object", properties: { pin: { type: "string", writeOnly: true } } },
		},
	},
});

it("finds secrets in folded objects, in parts that are edited as JSON, and beyond the rows", () => {
	const form = readForm(SCHEMA);
	const memory = new FormMemory();
	memory.folded.add("/login");
	memory.asJson.add("/keys/0");
	const keys = Array.from({ length: 300 }, (_, at) => ({ pin: String(at) }));
	const text = JSON.stringify({ user: "me", login: { password: "x" }, keys });
	expect(layout(form, text, memory).rows.some((row) => row.pointer === "/login/password")).toBe(false);
	const found = secretPlaces(form, text, memory);
	expect(found).toHaveLength(301);
	expect([found[0], found[1], found[300]]).toEqual(["/login/password", "/keys/0/pin", "/keys/299/pin"]);
	expect(secretPlaces(form, "no JSON", memory)).toEqual([]);
});
