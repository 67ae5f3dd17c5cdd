import { expect, it } from "vitest";
import { SearchIcon } from "../../components/icons";
import { find } from "./find";

const item = (label: string, detail?: string) => ({
	id: label,
	label,
	icon: SearchIcon,
	detail,
	run: () => undefined,
});
const GROUPS = [
	{
		title: "Tools",
		items: [item("stock.reserve"), item("orders.refund", "Refund an order"), item("reports.run")],
	},
	{ title: "Commands", items: [item("Refresh tool list"), item("Settings")] },
];

const cases: [query: string, found: string[]][] = [
	["", ["stock.reserve", "orders.refund", "reports.run", "Refresh tool list", "Settings"]],
	["ref", ["orders.refund", "Refresh tool list"]],
	["re", ["reports.run", "stock.reserve", "orders.refund", "Refresh tool list"]],
	["REFUND order", ["orders.refund"]],
	["refund an", ["orders.refund"]],
	["zzz", []],
];
it.each(cases)("finds by %j", (query, found) => {
	expect(find(GROUPS, query).flatMap((group) => group.items.map((one) => one.item.label))).toEqual(found);
});

it("marks what matches, in order and never twice", () => {
	const marks = (query: string) =>
		find([{ title: "", items: [item("orders.refund")] }], query)[0]?.items[0]?.marks;
	expect(marks("fund or")).toEqual([
		[0, 2],
		[9, 13],
	]);
	expect(marks("refund fund")).toEqual([[7, 13]]);
});
