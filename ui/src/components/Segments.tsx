import type { LucideIcon } from "lucide-react";
import { useId } from "react";
import { Icon } from "./Icon";
import css from "./Segments.module.css";

interface Props<T extends string> {
	label: string;
	value: T;
	onChange: (value: T) => void;
	options: readonly { value: T; label: string; icon?: LucideIcon; testId?: string }[];
	/** As high as the fields of a form. */
	large?: boolean;
}

/** One of a few, all of them in view. */
export function Segments<T extends string>({ label, value, onChange, options, large = false }: Props<T>) {
	const name = useId();
	return (
		<div className={`${css.segments} ${large ? css.large : ""}`} role="radiogroup" aria-label={label}>
			{options.map((option) => (
				<label key={option.value} className={option.value === value ? css.on : undefined}>
					<input
						className="vh"
						type="radio"
						name={name}
						checked={option.value === value}
						data-testid={option.testId}
						onChange={() => onChange(option.value)}
					/>
					{option.icon && <Icon of={option.icon} small />}
					{option.label}
				</label>
			))}
		</div>
	);
}
