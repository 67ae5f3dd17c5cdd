import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { CloseIcon } from "../../components/icons";
import type { RuleRow } from "../../ipc/bindings/RuleRow";
import { ASKED, answersTo } from "../../model/clientDraft";
import { isJson } from "../../model/form/edit";
import css from "./Server.module.css";

interface Props {
	number: number;
	rule: RuleRow;
	onChange: (rule: RuleRow) => void;
	onRemove: () => void;
}

/** When the server asks this, answer that. */
export function Rule({ number, rule, onChange, onRemove }: Props) {
	const { answer } = rule;
	const choices = answersTo(rule.method);
	const chosen = choices.find((choice) => JSON.stringify(choice.answer) === JSON.stringify(answer));
	return (
		<div className={css.rule} data-testid={TESTID.rule}>
			<input
				type="checkbox"
				className="check"
				aria-label={`Rule ${number} is on`}
				checked={rule.on}
				onChange={(event) => onChange({ ...rule, on: event.target.checked })}
			/>
			<select
				className={css.select}
				aria-label={`Rule ${number}: what is asked`}
				value={rule.method}
				onChange={(event) => {
					const method = event.target.value;
					const [first] = answersTo(method);
					onChange({ ...rule, method, answer: first?.answer ?? answer });
				}}
			>
				{ASKED.map((method) => (
					<option key={method}>{method}</option>
				))}
			</select>
			<label className="fld">
				<span className="vh">Rule {number}: text in the params</span>
				<input
					value={rule.contains}
					placeholder="with any params"
					spellCheck={false}
					onChange={(event) => onChange({ ...rule, contains: event.target.value })}
				/>
			</label>
			<select
				className={css.select}
				aria-label={`Rule ${number}: answer`}
				value={chosen?.value ?? "own"}
				onChange={(event) => {
					const next = choices.find(({ value }) => value === event.target.value);
					if (next) onChange({ ...rule, answer: next.answer });
				}}
			>
				{choices.map(({ value, label }) => (
					<option key={value} value={value}>
						{label}
					</option>
				))}
				{!chosen && <option value="own">own words</option>}
			</select>
			<button
				type="button"
				className="btn ghost sm ico"
				aria-label={`Remove rule ${number}`}
				title="Remove"
				onClick={onRemove}
			>
				<Icon of={CloseIcon} small />
			</button>
			{answer.kind === "result" && (
				<label className={`fld ${css.json} ${isJson(answer.json) ? "" : "bad"}`}>
					<span className="vh">Rule {number}: result as JSON</span>
					<input
						value={answer.json}
						spellCheck={false}
						onChange={(event) => onChange({ ...rule, answer: { kind: "result", json: event.target.value } })}
					/>
				</label>
			)}
			{answer.kind === "error" && (
				<label className={`fld ${css.json}`}>
					<span className="mono dim">{answer.code}</span>
					<span className="vh">Rule {number}: message of the error</span>
					<input
						value={answer.message}
						spellCheck={false}
						onChange={(event) => onChange({ ...rule, answer: { ...answer, message: event.target.value } })}
					/>
				</label>
			)}
		</div>
	);
}
