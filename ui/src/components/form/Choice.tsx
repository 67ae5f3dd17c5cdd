import { Combobox } from "@base-ui/react/combobox";
import type { ReactNode } from "react";
import type { Row } from "../../model/form/rows";
import { sameValue } from "../../model/form/variants";
import { text } from "../../model/json/tree";
import { visible } from "../../model/visible";
import { Icon } from "../Icon";
import { CheckIcon, DownIcon } from "../icons";
import { Segments } from "../Segments";
import { useForm } from "./context";
import { DefaultNote } from "./DefaultNote";
import css from "./Form.module.css";

/** Up to so many choices stand side by side, if they are short. */
const MAX_SEGMENTS = 4;
const MAX_CHARS = 34;

interface Pick {
	id: string;
	label: string;
	/** Of the chosen option; empty for none. */
	value: string;
	options: readonly { value: string; label: string }[];
	onChange: (value: string) => void;
	/** What is shown where nothing is chosen. */
	omitted: string | null;
	bad?: boolean;
}

/** A choice: segments where they are few and short, else a list that is searched by typing. */
export function pick(choice: Pick): ReactNode {
	const chars = choice.options.reduce((sum, { label }) => sum + label.length, 0);
	if (choice.options.length > MAX_SEGMENTS || chars > MAX_CHARS) return <Select {...choice} />;
	return (
		<Segments
			large
			label={choice.label}
			value={choice.value}
			options={choice.options}
			onChange={choice.onChange}
		/>
	);
}

function Select({ id, label, value, options, onChange, omitted, bad = false }: Pick) {
	const chosen = options.find((option) => option.value === value) ?? null;
	return (
		<Combobox.Root
			items={options}
			value={chosen}
			onValueChange={(option) => option && onChange(option.value)}
			itemToStringLabel={(option) => option.label}
			isItemEqualToValue={(one, other) => one.value === other.value}
			autoHighlight
		>
			<Combobox.InputGroup className={`fld ${css.field} ${bad ? "bad" : ""} ${chosen ? "" : css.off}`}>
				<Combobox.Input id={id} aria-label={label} placeholder={omitted ?? undefined} spellCheck={false} />
				<Combobox.Trigger
					className={css.trigger}
					aria-label={`Choices of ${label}`}
					aria-keyshortcuts="ArrowDown"
					tabIndex={-1}
				>
					<Icon of={DownIcon} small />
				</Combobox.Trigger>
			</Combobox.InputGroup>
			<Combobox.Portal>
				<Combobox.Positioner className={css.positioner} sideOffset={2} align="start">
					<Combobox.Popup className={css.popup}>
						<Combobox.Empty className={css.none}>Nothing matches.</Combobox.Empty>
						<Combobox.List className={css.options}>
							{(option: Pick["options"][number]) => (
								<Combobox.Item key={option.value} value={option} className={css.option}>
									<span className={css.check}>
										<Combobox.ItemIndicator>
											<Icon of={CheckIcon} small />
										</Combobox.ItemIndicator>
									</span>
									<span className="mono">{option.label}</span>
								</Combobox.Item>
							)}
						</Combobox.List>
					</Combobox.Popup>
				</Combobox.Positioner>
			</Combobox.Portal>
		</Combobox.Root>
	);
}

/** One of the values that the schema lists; each keeps its JSON type. */
export function EnumField({ row, bad }: { row: Row; bad: boolean }) {
	const { draft, idOf } = useForm();
	const { options, nullable } = row.inner;
	const choices = options.map(({ label }, i) => ({ value: String(i), label: visible(label) }));
	if (nullable || row.shape.nullable) choices.push({ value: "null", label: "null" });
	const at = row.value ? options.findIndex(({ raw }) => sameValue(raw, row.value?.raw ?? "")) : -1;
	const foreign = row.value !== null && at < 0 && row.state !== "null";
	if (foreign) choices.push({ value: "foreign", label: visible(text(row.value) ?? row.value?.raw ?? "") });
	return (
		<>
			{pick({
				id: idOf(row),
				label: row.name,
				value: foreign ? "foreign" : at >= 0 ? String(at) : row.state === "null" ? "null" : "",
				options: choices,
				omitted: row.required ? "required" : "omit",
				bad,
				onChange: (value) => {
					const raw = value === "null" ? "null" : options[Number(value)]?.raw;
					if (raw !== undefined) draft.edit((edits) => edits.raw(row, raw));
				},
			})}
			<DefaultNote row={row} />
		</>
	);
}

/** true, false, or left out. */
export function BooleanField({ row }: { row: Row }) {
	const { draft } = useForm();
	const options = [
		{ value: "true", label: "true" },
		{ value: "false", label: "false" },
	];
	if (row.shape.nullable || row.inner.nullable || row.state === "null")
		options.push({ value: "null", label: "null" });
	if (!row.required && row.role === "property") options.push({ value: "omit", label: "omit" });
	return (
		<>
			<Segments
				large
				label={row.name}
				value={row.value?.raw ?? "omit"}
				options={options}
				onChange={(value) =>
					draft.edit((edits) => (value === "omit" ? edits.omit(row) : edits.raw(row, value)))
				}
			/>
			<DefaultNote row={row} />
		</>
	);
}

/** The one value that there is. */
export function ConstField({ row }: { row: Row }) {
	const { draft, idOf } = useForm();
	const fixed = row.inner.fixed ?? "null";
	const sent = row.value !== null;
	return (
		<>
			<output id={idOf(row)} className={`fld ${css.field} ${css.fixed} ${sent ? "" : css.off}`}>
				<span className="trunc">{visible(fixed)}</span>
			</output>
			{!sent && (
				<button type="button" className="btn sm" onClick={() => draft.edit((edits) => edits.raw(row, fixed))}>
					Set
				</button>
			)}
		</>
	);
}

/** null, or left out. */
export function NullField({ row }: { row: Row }) {
	const { draft } = useForm();
	return (
		<Segments
			large
			label={row.name}
			value={row.value ? "null" : "omit"}
			options={[
				{ value: "null", label: "null" },
				{ value: "omit", label: "omit" },
			]}
			onChange={(value) => draft.edit((edits) => (value === "null" ? edits.setNull(row) : edits.omit(row)))}
		/>
	);
}
