import type { SessionRow } from "../../ipc/bindings/SessionRow";

/** The negotiated revision: a solid frame for the modern era, a dashed one for the legacy era. */
export function Era({ row, long = false }: { row: SessionRow; long?: boolean }) {
	if (row.revision === null && row.era === null) return null;
	const text = long ? [row.era, row.revision].filter(Boolean).join(" ") : (row.revision ?? row.era);
	return (
		<span className={`era ${row.era === "legacy" ? "legacy" : ""}`} title={`${row.era ?? ""} revision`}>
			{text}
		</span>
	);
}
