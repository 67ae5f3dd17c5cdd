import type { ReactNode } from "react";
import type { Row, Choice as VariantChoice } from "../../model/form/rows";
import { visible } from "../../model/visible";
import { Segments } from "../Segments";
import { BooleanField, ConstField, EnumField, NullField, pick } from "./Choice";
import { Completed } from "./Completed";
import { useForm } from "./context";
import css from "./Form.module.css";
import { GroupHead } from "./GroupHead";
import { JsonField } from "./JsonField";
import { MapField } from "./MapField";
import { MultiField } from "./MultiField";
import { NumberField } from "./NumberField";
import { TextField } from "./TextField";
import { Tokens } from "./Tokens";

interface Props {
	row: Row;
	entries: readonly Row[];
	bad: boolean;
}

/** A row's control, behind the choice of its variant where there are several. */
export function Control({ row, entries, bad }: Props) {
	const { draft } = useForm();
	const own = draft.memory.asJson.has(row.id) ? null : row.choices;
	return (
		<>
			{own?.map((choice, level) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: unions inside each other are told apart by their level
				<Variants key={level} row={row} choice={choice} level={level} />
			))}
			<OwnControl row={row} entries={entries} bad={bad} />
			{row.shape.nullable && row.control !== "boolean" && row.control !== "enum" && (
				<NullSegments row={row} />
			)}
		</>
	);
}

function OwnControl({ row, entries, bad }: Props): ReactNode {
	const { complete } = useForm();
	switch (row.control) {
		case "text":
			return complete && row.depth === 0 ? (
				<Completed row={row} bad={bad} complete={complete} />
			) : (
				<TextField row={row} bad={bad} />
			);
		case "number":
			return <NumberField row={row} bad={bad} />;
		case "boolean":
			return <BooleanField row={row} />;
		case "enum":
			return <EnumField row={row} bad={bad} />;
		case "const":
			return <ConstField row={row} />;
		case "null":
			return <NullField row={row} />;
		case "list":
			return <Tokens row={row} bad={bad} />;
		case "multi":
			return <MultiField row={row} bad={bad} />;
		case "json":
		case "twice":
			return <JsonField row={row} bad={bad} />;
		case "group":
			if (row.inner.kind === "map" && row.state === "value") return <MapField row={row} entries={entries} />;
			return row.role === "root" ? null : <GroupHead row={row} />;
		case "choice":
			return null;
	}
}

interface VariantsProps {
	row: Row;
	choice: VariantChoice;
	level: number;
}

/** One of several shapes. */
function Variants({ row, choice, level }: VariantsProps) {
	const { draft, idOf } = useForm();
	const options = choice.shape.variants.map(({ label }, i) => ({ value: String(i), label: visible(label) }));
	const active = row.value && row.state !== "null" ? String(choice.active) : "";
	return pick({
		id: `${idOf(row)}-variant-${level}`,
		label: `Variant of ${row.name}`,
		value: active,
		options,
		onChange: (value) => draft.edit((edits) => edits.variant(row, level, Number(value))),
		omitted: row.value ? null : "omit",
	});
}

const STATES = [
	{ value: "value", label: "value" },
	{ value: "null", label: "null" },
	{ value: "omit", label: "omit" },
] as const;
const TEXT_STATES = [
	{ value: "value", label: "text" },
	{ value: "empty", label: '""' },
	{ value: "null", label: "null" },
	{ value: "omit", label: "omit" },
] as const;

/** The state of what may be null. */
function NullSegments({ row }: { row: Row }) {
	const { draft } = useForm();
	const options = row.control === "text" ? TEXT_STATES : STATES;
	return (
		<span className={css.states}>
			<Segments
				large
				label={`State of ${row.name}`}
				value={row.state === "empty" && row.control !== "text" ? "value" : row.state}
				options={options}
				onChange={(state) =>
					draft.edit((edits) => {
						switch (state) {
							case "null":
								return edits.setNull(row);
							case "omit":
								return edits.omit(row);
							case "empty":
								return edits.empty(row);
							case "value":
								return edits.value(row);
						}
					})
				}
			/>
		</span>
	);
}
