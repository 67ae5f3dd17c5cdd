import { count } from "../model/format";
import { Icon } from "./Icon";
import { FilterIcon, TailIcon } from "./icons";

interface FilterProps {
	/** What it looks for, which is its name too. */
	label: string;
	value: string;
	testId?: string;
	onChange: (text: string) => void;
}

/** The field in a log's bar that lines must contain the text of. */
export function TextFilter({ label, value, testId, onChange }: FilterProps) {
	return (
		<label className="fld ui">
			<Icon of={FilterIcon} small />
			<span className="vh">{label}</span>
			<input
				value={value}
				placeholder={label}
				spellCheck={false}
				autoComplete="off"
				data-testid={testId}
				onChange={(event) => onChange(event.target.value)}
			/>
		</label>
	);
}

/** How many lines are shown, of how many. */
export function LineCount({ shown, total, testId }: { shown: number; total: number; testId: string }) {
	return (
		<span className="mono dim nowrap" role="status" data-testid={testId}>
			{shown === total ? count(total) : `${count(shown)} of ${count(total)}`}
		</span>
	);
}

interface TailProps {
	follow: boolean;
	title: string;
	testId?: string;
	onFollow: (follow: boolean) => void;
}

/** Stays at the end of a log. */
export function TailButton({ follow, title, testId, onFollow }: TailProps) {
	return (
		<button
			type="button"
			className={`btn ghost sm ${follow ? "on" : ""}`}
			aria-pressed={follow}
			title={title}
			data-testid={testId}
			onClick={() => onFollow(!follow)}
		>
			<Icon of={TailIcon} small />
			Tail
		</button>
	);
}

/** Filters that nothing gets through. */
export function NoMatch({ noun, onClear }: { noun: string; onClear: () => void }) {
	return (
		<div className="empty">
			<p>No {noun} matches the filters.</p>
			<div className="acts">
				<button type="button" className="btn" onClick={onClear}>
					Clear filters
				</button>
			</div>
		</div>
	);
}
