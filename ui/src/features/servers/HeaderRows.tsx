import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { CloseIcon, PlusIcon } from "../../components/icons";
import css from "./Servers.module.css";

interface Props {
	headers: [string, string][];
	onChange: (headers: [string, string][]) => void;
}

/** Headers as rows of name and value. */
export function HeaderRows({ headers, onChange }: Props) {
	const set = (at: number, header: [string, string]) =>
		onChange(headers.map((old, i) => (i === at ? header : old)));
	return (
		<div className={css.headers}>
			{headers.map(([name, value], i) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a row's place is its identity
				<div key={i}>
					<input
						value={name}
						aria-label={`Name of header ${i + 1}`}
						placeholder="name"
						spellCheck={false}
						autoComplete="off"
						data-testid={TESTID.headerName}
						onChange={(event) => set(i, [event.target.value, value])}
					/>
					<input
						value={value}
						aria-label={`Value of header ${i + 1}`}
						placeholder="value"
						spellCheck={false}
						autoComplete="off"
						data-testid={TESTID.headerValue}
						onChange={(event) => set(i, [name, event.target.value])}
					/>
					<button
						type="button"
						className="btn ghost sm ico"
						aria-label={`Remove header ${i + 1}`}
						title="Remove"
						onClick={() => onChange(headers.filter((_, other) => other !== i))}
					>
						<Icon of={CloseIcon} small />
					</button>
				</div>
			))}
			<button
				type="button"
				className="btn ghost sm"
				data-testid={TESTID.addHeader}
				onClick={() => onChange([...headers, ["", ""]])}
			>
				<Icon of={PlusIcon} small />
				Add header
			</button>
		</div>
	);
}
