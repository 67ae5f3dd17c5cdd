/** Arrays as the form draws them. */
import { expand, get, type Parts } from "./schema";
import { type Context, once, read, type Shape } from "./shape";

const SCALARS = new Set(["string", "number", "integer", "boolean", "null", "const"]);

/** An array: a choice of options, tokens, or rows; JSON where its items have no one shape. */
export function arrayShape(parts: Parts, base: Shape, context: Context): Shape {
	if (get(parts, "prefixItems")) return { ...base, why: "prefixItems" };
	const items = get(parts, "items");
	if (items?.kind === "array") return { ...base, why: "items by place" };
	if (!items) return { ...base, why: "the schema says nothing about the items" };
	const item = once(() => read(expand([items], context.root), context));
	const { kind, options, nullable } = item();
	if (kind === "enum" && !nullable) return { ...base, kind: "multi", item, options };
	if (SCALARS.has(kind) || kind === "enum") return { ...base, kind: "list", item };
	if (kind === "json") return { ...base, why: item().why ?? "items of any kind" };
	// A later look starts afresh: rows open one level at a time.
	return {
		...base,
		kind: "rows",
		item: once(() => read(expand([items], context.root), { ...context, depth: 0 })),
	};
}
