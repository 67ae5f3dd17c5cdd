import { Icon } from "../../components/Icon";
import { CloseIcon, PlusIcon } from "../../components/icons";
import type { Composed } from "../../model/drafts";
import css from "./Compose.module.css";

interface Props {
	headers: Composed["headers"];
	onChange: (headers: Composed["headers"]) => void;
}

/** Headers as typed, beside this app's own; one of the same name takes its place. */
export function HeaderFields({ headers, onChange }: Props) {
	const change = (index: number, name: string, value: string) =>
		onChange(headers.map((old, i) => (i === index ? ([name, value] as const) : old)));
	return (
		<div className={css.headers}>
			<p>
				<b>Headers</b>
				<span className="dim xs trunc grow">
					Beside this app's own; one of the same name takes its place.
				</span>
				<button type="button" className="btn ghost sm" onClick={() => onChange([...headers, ["", ""]])}>
					<Icon of={PlusIcon} small />
					Header
				</button>
			</p>
			{headers.map(([name, value], i) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, the place is all there is
				<div key={i} className={css.header}>
					<span className="fld">
						<input
							aria-label={`Name of header ${i + 1}`}
							placeholder="name"
							value={name}
							spellCheck={false}
							onChange={(event) => change(i, event.target.value, value)}
						/>
					</span>
					<span className="fld">
						<input
							aria-label={`Value of header ${i + 1}`}
							placeholder="value"
							value={value}
							spellCheck={false}
							onChange={(event) => change(i, name, event.target.value)}
						/>
					</span>
					<button
						type="button"
						className="btn ghost sm ico"
						aria-label={`Remove header ${i + 1}`}
						onClick={() => onChange(headers.filter((_, other) => other !== i))}
					>
						<Icon of={CloseIcon} small />
					</button>
				</div>
			))}
		</div>
	);
}
