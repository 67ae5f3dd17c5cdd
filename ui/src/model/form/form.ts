/** The form of a tool: read from the text of its input schema. */
import { readJson } from "../json/tree";
import { type Shape, shapeOf } from "./shape";
import { schemaFault } from "./words";

/** A form for the arguments of one tool. */
export interface Form {
	/** What the arguments may be; null where no field can be drawn and only JSON is left. */
	root: Shape | null;
	/** What is wrong with the schema as a whole. */
	fault: string | null;
	/** Why there is no field, where nothing is wrong. */
	empty: string | null;
	/** The schema may declare a secret somewhere. */
	secrets: boolean;
}

/** What a secret is declared by, as `isSecret` reads it; also where a key or its value is written with escapes. */
const SECRET = /password|writeOnly|\\u00/i;

/** Reads a schema given as JSON text. Never fails. */
export function readForm(schema: string | null): Form {
	const json = schema === null ? null : readJson(schema);
	const fault = schemaFault(json);
	const secrets = schema !== null && SECRET.test(schema);
	if (json?.kind !== "object") return { root: null, fault, empty: null, secrets };
	const root = shapeOf([json], json);
	if (isDrawn(root)) return { root, fault, empty: null, secrets };
	const none = root.kind === "object" ? "The tool takes no arguments." : "The schema names no properties.";
	return { root: null, fault, empty: fault === null ? none : null, secrets };
}

function isDrawn(shape: Shape): boolean {
	switch (shape.kind) {
		case "object":
			return shape.properties().length > 0 || shape.rest !== null;
		case "map":
			return true;
		case "variants":
			return shape.variants.some((variant) => isDrawn(variant.shape()));
		default:
			return false;
	}
}
