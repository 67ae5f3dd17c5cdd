/** The tools of the made-up server: a small shop, and some whose schemas are awkward on purpose. */
import type { ToolRow } from "../bindings/ToolRow";

const tool = (name: string, about: string, schema: string | null, marks: Partial<ToolRow> = {}): ToolRow => ({
	name,
	title: null,
	description: about,
	input_schema: schema,
	output_schema: null,
	read_only: null,
	destructive: null,
	idempotent: null,
	open_world: null,
	problem: null,
	raw: `{"name":${JSON.stringify(name)},"description":${JSON.stringify(about)},"inputSchema":${schema}}`,
	...marks,
});

const NONE = '{"type":"object"}';
const ID = '{"type":"object","properties":{"order_id":{"type":"string"}},"required":["order_id"]}';

/** A form with one of every common kind of field. */
const CREATE = `{"type":"object","properties":{
"sku":{"type":"string","description":"Article number, as printed on the box","examples":["KX-2210-B"]},
"quantity":{"type":"integer","minimum":1,"maximum":99},
"total_cents":{"type":"integer","default":9007199254740993,"description":"What the customer has seen, in cents"},
"ship_by":{"type":"string","format":"date"},
"priority":{"enum":["low","normal","high"],"default":"normal"},
"gift":{"type":"boolean"},
"note":{"anyOf":[{"type":"string"},{"type":"null"}],"description":"Goes on the parcel"},
"address":{"type":"object","properties":{"street":{"type":"string"},"zip":{"type":"string"},"city":{"type":"string"},"country":{"type":"string","minLength":2,"maxLength":2}},"required":["street"]},
"tags":{"type":"array","items":{"type":"string"}},
"labels":{"type":"object","additionalProperties":{"type":"string"}},
"payment":{"oneOf":[
{"title":"Card","type":"object","properties":{"type":{"const":"card"},"token":{"type":"string","format":"password"},"capture":{"type":"boolean"}},"required":["type","token"]},
{"title":"Invoice","type":"object","properties":{"type":{"const":"invoice"},"days":{"type":"integer","minimum":7}},"required":["type"]},
{"title":"Voucher","type":"object","properties":{"type":{"const":"voucher"},"code":{"type":"string"}},"required":["type","code"]}]}
},"required":["sku","quantity","total_cents","address","payment"]}`;

const ORDER = `{"type":"object","properties":{"order_id":{"type":"string"},"status":{"enum":["reserved","shipped"]},"total_cents":{"type":"integer"}},"required":["order_id","total_cents"]}`;

const AWKWARD = `{"type":"object","$defs":{"node":{"type":"object","properties":{"label":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["label"]}},"properties":{
"code":{"enum":[1,"1",true,null]},
"country":{"enum":[${Array.from({ length: 126 }, (_, i) => `"v${i}"`).join(",")}]},
"colours":{"type":"array","uniqueItems":true,"items":{"enum":["red","green","blue"]}},
"size":{"oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}]},
"either":{"type":["integer","string","null"]},
"rows":{"type":"array","minItems":1,"items":{"type":"object","properties":{"sku":{"type":"string"},"qty":{"type":"integer","minimum":1,"default":1}},"required":["sku"]}},
"tree":{"$ref":"#/$defs/node"},
"fixed":{"const":"v2"},
"text":{"type":"string","format":"textarea"},
"pair":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"items":false},
"free":{"type":"object"},
"anything":{},
"scores":{"type":"array","items":{"type":"number"}},
"limits":{"type":"object","additionalProperties":{"type":"integer","maximum":10}}
},"required":["rows","fixed"],"allOf":[{"properties":{"extra":{"type":"string"}},"required":["extra"]}],"anyOf":[{"required":["code"]},{"required":["country"]}]}`;

/** So many tools more, in groups of fifty. */
export function manyTools(n: number): ToolRow[] {
	return Array.from({ length: n }, (_, i) =>
		tool(`group${Math.floor(i / 50)}.tool${i}`, `Does thing ${i} of ${n}`, i % 2 === 0 ? ID : CREATE, {
			read_only: i % 3 === 0,
		}),
	);
}

export const TOOLS: ToolRow[] = [
	tool("orders.cancel", "Cancel an order", ID, { destructive: true }),
	tool("orders.create", "Create an order and reserve stock", CREATE, {
		open_world: true,
		output_schema: ORDER,
	}),
	tool("orders.export", "Export all orders", NONE, { read_only: true }),
	tool("orders.get", "Read one order", ID, { read_only: true, idempotent: true, output_schema: ORDER }),
	tool("orders.list", "List orders", NONE, { read_only: true }),
	tool("orders.refund", "Refund an order", ID, { destructive: true }),
	tool("stock.adjust", "Set the stock of an article", NONE, { idempotent: true }),
	tool("stock.get", "Read the stock of an article", NONE, { read_only: true }),
	tool("stock.picture", "Pictures, sounds and links", NONE, { read_only: true }),
	tool("stock.watch", "Watch an article", NONE, { read_only: true, open_world: true }),
	tool("reports.run", "Run a report: takes long", NONE, { read_only: true }),
	tool("reports.big", "A result of ten megabytes", NONE, { read_only: true }),
	tool("reports.late", "Answers when nobody waits any more", NONE, { read_only: true }),
	tool(
		"faults.awkward",
		`Every awkward shape. ${"A description may go on for pages. ".repeat(380)}`,
		AWKWARD,
	),
	tool("faults.rpc_error", "Answers with a JSON-RPC error", NONE),
	tool("faults.tool_error", "Fails, and says so itself", NONE),
	tool("faults.odd_schema", "Its schema has no type", '{"anyOf":[{"type":"object"},{"type":"object"}]}'),
	tool("server.crash", "Ends the server with code 3", NONE),
	{
		...tool("(tool 12)", "", null),
		description: null,
		problem: "The item has no name: a tool needs one.",
		raw: '{"description":"nameless"}',
	},
];
