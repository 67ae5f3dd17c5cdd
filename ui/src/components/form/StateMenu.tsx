import { Menu } from "@base-ui/react/menu";
import type { Row } from "../../model/form/rows";
import { visible } from "../../model/visible";
import { Icon } from "../Icon";
import { CheckIcon, MoreIcon } from "../icons";
import { useForm } from "./context";
import { plain } from "./DefaultNote";
import css from "./Form.module.css";

interface Entry {
	label: string;
	keys?: string;
	on?: boolean;
	does: () => void;
}

/** Opens the menu of a row's states; all rows share one. */
export function StateButton({ row }: { row: Row }) {
	const { openMenu } = useForm();
	return (
		<button
			type="button"
			className={`btn ghost sm ico ${css.state}`}
			aria-label={`State of ${visible(row.name)}: value, empty, null, omit`}
			aria-haspopup="menu"
			title="Value, empty, null, omit (Shift F10)"
			tabIndex={-1}
			onClick={(event) => openMenu(row, event.currentTarget)}
		>
			<Icon of={MoreIcon} />
		</button>
	);
}

interface Props {
	row: Row;
	anchor: Element;
	onClose: () => void;
}

/** What a field may hold beside a value: empty, null, nothing; its default, its examples, any JSON. */
export function StateMenu({ row, anchor, onClose }: Props) {
	return (
		<Menu.Root open onOpenChange={(open) => !open && onClose()}>
			<Menu.Portal>
				<Menu.Positioner className={css.positioner} anchor={anchor} align="end" sideOffset={2}>
					<Menu.Popup className={css.popup} aria-label={`State of ${visible(row.name)}`}>
						<p className={css.menuTitle}>
							{visible(row.name)}, {row.shape.kind}
						</p>
						<Entries row={row} />
						{!row.shape.nullable && row.inner.kind !== "json" && (
							<p className={css.menuNote}>
								Our check: the schema does not allow null. You can still send it.
							</p>
						)}
					</Menu.Popup>
				</Menu.Positioner>
			</Menu.Portal>
		</Menu.Root>
	);
}

function Entries({ row }: { row: Row }) {
	const { draft } = useForm();
	const { default: fallback, examples } = row.shape;
	const json = draft.memory.asJson.has(row.id);
	const entries: Entry[] = [
		{ label: "value", on: row.state === "value", does: () => draft.edit((edits) => edits.value(row)) },
		{
			label: "empty",
			keys: "Alt E",
			on: row.state === "empty",
			does: () => draft.edit((edits) => edits.empty(row)),
		},
		{
			label: "null",
			keys: "Alt N",
			on: row.state === "null",
			does: () => draft.edit((edits) => edits.setNull(row)),
		},
		{
			label: "omit",
			keys: "Alt O",
			on: row.state === "omit",
			does: () => draft.edit((edits) => edits.omit(row)),
		},
		...(fallback === null
			? []
			: [
					{
						label: `default ${plain(fallback)}`,
						keys: "Alt D",
						does: () => draft.edit((edits) => edits.raw(row, fallback)),
					},
				]),
		...examples.slice(0, 5).map((raw) => ({
			label: `example ${plain(raw)}`,
			does: () => draft.edit((edits) => edits.raw(row, raw)),
		})),
		{ label: json ? "As a field" : "JSON value…", on: json, does: () => draft.asJson(row) },
	];
	return entries.map((entry) => (
		<Menu.Item key={entry.label} className={css.option} onClick={entry.does}>
			<span className={css.check}>{entry.on && <Icon of={CheckIcon} small />}</span>
			<span className="trunc grow">{visible(entry.label)}</span>
			{entry.keys && <kbd>{entry.keys}</kbd>}
		</Menu.Item>
	));
}
