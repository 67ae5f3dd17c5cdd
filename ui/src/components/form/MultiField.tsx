import { Combobox } from "@base-ui/react/combobox";
import type { Row } from "../../model/form/rows";
import type { Option } from "../../model/form/shape";
import { sameValue } from "../../model/form/variants";
import { visible } from "../../model/visible";
import { Icon } from "../Icon";
import { CheckIcon, CloseIcon, DownIcon } from "../icons";
import { useForm } from "./context";
import { DefaultNote } from "./DefaultNote";
import css from "./Form.module.css";
import { placeholder } from "./TextField";

/** Up to so many options stand side by side. */
const MAX_INLINE = 6;
const MAX_CHARS = 40;

/** Some of the values that the schema lists, in the order in which they are taken. */
export function MultiField({ row, bad }: { row: Row; bad: boolean }) {
	const { options } = row.inner;
	const chars = options.reduce((sum, { label }) => sum + label.length, 0);
	if (options.length > MAX_INLINE || chars > MAX_CHARS) return <MultiSelect row={row} bad={bad} />;
	return <Toggles row={row} />;
}

function isOn(row: Row, { raw }: Option): boolean {
	return row.value?.items.some((item) => sameValue(item.raw, raw)) === true;
}

function Toggles({ row }: { row: Row }) {
	const { draft } = useForm();
	return (
		<>
			<fieldset className={css.toggles}>
				<legend className="vh">{row.name}</legend>
				{row.inner.options.map((option) => (
					<label key={option.raw} className={isOn(row, option) ? css.on : undefined}>
						<input
							type="checkbox"
							className="vh"
							checked={isOn(row, option)}
							onChange={() => draft.edit((edits) => edits.toggle(row, option.raw))}
						/>
						{visible(option.label)}
					</label>
				))}
			</fieldset>
			{row.state === "omit" ? (
				<span className={css.default}>{row.required ? "required" : "omit"}</span>
			) : (
				row.value?.items.length === 0 && <span className={css.default}>[]</span>
			)}
			<DefaultNote row={row} />
		</>
	);
}

function MultiSelect({ row, bad }: { row: Row; bad: boolean }) {
	const { draft, idOf } = useForm();
	const { options } = row.inner;
	const chosen = options.filter((option) => isOn(row, option));
	return (
		<Combobox.Root
			items={options}
			multiple
			value={chosen}
			onValueChange={(next) => {
				const changed = options.find((option) => next.includes(option) !== chosen.includes(option));
				if (changed) draft.edit((edits) => edits.toggle(row, changed.raw));
			}}
			itemToStringLabel={(option: Option) => option.label}
			autoHighlight
		>
			<Combobox.InputGroup
				className={`fld ${css.field} ${css.tokens} ${bad ? "bad" : ""} ${row.state === "value" ? "" : css.off}`}
			>
				{chosen.map((option) => (
					<span key={option.raw} className="chip">
						{visible(option.label)}
						<button
							type="button"
							className={css.untoken}
							tabIndex={-1}
							aria-label={`Remove ${visible(option.label)}`}
							onClick={() => draft.edit((edits) => edits.toggle(row, option.raw))}
						>
							<Icon of={CloseIcon} small />
						</button>
					</span>
				))}
				<Combobox.Input
					id={idOf(row)}
					aria-label={row.name}
					placeholder={chosen.length > 0 ? "" : row.state === "value" ? "[]" : placeholder(row)}
					spellCheck={false}
				/>
				<Combobox.Trigger
					className={css.trigger}
					aria-label={`Choices of ${row.name}`}
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
							{(option: Option) => (
								<Combobox.Item key={option.raw} value={option} className={css.option}>
									<span className={css.check}>
										<Combobox.ItemIndicator>
											<Icon of={CheckIcon} small />
										</Combobox.ItemIndicator>
									</span>
									<span className="mono">{visible(option.label)}</span>
								</Combobox.Item>
							)}
						</Combobox.List>
					</Combobox.Popup>
				</Combobox.Positioner>
			</Combobox.Portal>
		</Combobox.Root>
	);
}
