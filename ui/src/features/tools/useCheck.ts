import { useEffect, useState } from "react";
import type { Backend } from "../../ipc/backend";
import type { CheckRow } from "../../ipc/bindings/CheckRow";
import { words } from "../../model/errors";

/** How long typing has to rest before it is checked, milliseconds. */
const REST_MS = 120;

/** What our check said, and of which text. */
export interface Checked extends CheckRow {
	of: string;
}

/** What our check says about `value`; the last answer stays until the next one is here. Null where there is no schema. */
export function useCheck(
	backend: Backend,
	schema: string | null,
	value: string | null,
	restMs = REST_MS,
): Checked | null {
	const [said, setSaid] = useState<{ schema: string; row: Checked } | null>(null);
	useEffect(() => {
		if (schema === null || value === null) return;
		let live = true;
		const timer = setTimeout(() => {
			backend
				.call("check_json", { schema, value })
				.catch((error: unknown): CheckRow => ({ problems: [], unchecked: words(error) }))
				.then((row) => live && setSaid({ schema, row: { ...row, of: value } }))
				.catch(() => undefined);
		}, restMs);
		return () => {
			live = false;
			clearTimeout(timer);
		};
	}, [backend, schema, value, restMs]);
	return said !== null && said.schema === schema && value !== null ? said.row : null;
}
