import { useEffect, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { CloseIcon, HideIcon, PlusIcon, RevealIcon, SecretIcon } from "../../components/icons";
import type { SecretStoreRow } from "../../ipc/secrets";
import { words } from "../../model/errors";
import { EMPTY_VALUE, readValues, soundsSecret, type TypedValue } from "../../model/serverDraft";
import css from "./ServerForm.module.css";

interface Props {
	/** What a row is: `variable` or `header`. */
	what: "variable" | "header";
	values: TypedValue[];
	onChange: (values: TypedValue[]) => void;
	/** Where secrets go; null until that is known. */
	store: SecretStoreRow | null;
	/** Reads a stored secret. */
	reveal: (name: string) => Promise<string>;
}

/** Variables or headers: name, value, where the value is kept. */
export function ValueTable({ what, values, onChange, store, reveal }: Props) {
	const table = useRef<HTMLDivElement>(null);
	/** A row that was just added takes the focus. */
	const [added, setAdded] = useState(-1);
	useEffect(() => {
		if (added < 0) return;
		table.current?.querySelectorAll<HTMLInputElement>("[data-part=name]")[added]?.focus();
		setAdded(-1);
	}, [added]);
	const set = (at: number, value: TypedValue) => onChange(values.map((old, i) => (i === at ? value : old)));
	return (
		<div ref={table} className={css.table}>
			<div className={css.tableHead} aria-hidden>
				<span>{what === "variable" ? "Variable" : "Header"}</span>
				<span>Value</span>
				<span>Stored in</span>
			</div>
			{values.map((value, i) => (
				<ValueFields
					// biome-ignore lint/suspicious/noArrayIndexKey: a row's place is its identity
					key={i}
					what={`${what} ${i + 1}`}
					value={value}
					store={store}
					reveal={reveal}
					onChange={(next) => set(i, next)}
					onPaste={(rows) => onChange([...values.slice(0, i), ...rows, ...values.slice(i + 1)])}
					onRemove={() => {
						onChange(values.filter((_, other) => other !== i));
						table.current?.querySelector<HTMLElement>("[data-part=add]")?.focus();
					}}
				/>
			))}
			<button
				type="button"
				className={`btn ghost sm ${css.addRow}`}
				data-part="add"
				data-testid={what === "header" ? TESTID.addHeader : TESTID.addVariable}
				onClick={() => {
					onChange([...values, EMPTY_VALUE]);
					setAdded(values.length);
				}}
			>
				<Icon of={PlusIcon} small />
				Add {what}
			</button>
		</div>
	);
}

interface RowProps extends Pick<Props, "store" | "reveal"> {
	what: string;
	value: TypedValue;
	onChange: (value: TypedValue) => void;
	onPaste: (rows: TypedValue[]) => void;
	onRemove: () => void;
}

function ValueFields({ what, value, store, reveal, onChange, onPaste, onRemove }: RowProps) {
	const [shown, setShown] = useState(false);
	const [failure, setFailure] = useState<string | null>(null);
	const header = what.startsWith("header");
	const place = value.secret ? shortPlace(store) : "catalogue";
	const name = (text: string) => {
		// A row that was never kept follows its name, until the user has said where it goes.
		const follows = value.kept === null && value.secret === soundsSecret(value.name);
		onChange({ ...value, name: text, secret: follows ? soundsSecret(text) : value.secret });
	};
	const show = async () => {
		setFailure(null);
		try {
			if (!shown && value.value === null && value.stored !== null) {
				onChange({ ...value, value: await reveal(value.stored) });
			}
			setShown(!shown);
		} catch (error) {
			setFailure(words(error));
		}
	};
	return (
		<>
			<div className={css.tableRow}>
				<input
					value={value.name}
					aria-label={`Name of ${what}`}
					placeholder="name"
					spellCheck={false}
					autoComplete="off"
					data-part="name"
					data-testid={header ? TESTID.headerName : TESTID.variableName}
					onChange={(event) => name(event.target.value)}
					onPaste={(event) => {
						const rows = value.name === "" ? readValues(event.clipboardData.getData("text")) : null;
						if (!rows) return;
						event.preventDefault();
						onPaste(rows);
					}}
				/>
				<input
					type={value.secret && !shown ? "password" : "text"}
					value={value.value ?? ""}
					aria-label={`Value of ${what}`}
					placeholder={value.value === null ? value.mask || "stored" : "value"}
					spellCheck={false}
					autoComplete="off"
					data-testid={header ? TESTID.headerValue : TESTID.variableValue}
					onChange={(event) => onChange({ ...value, value: event.target.value })}
				/>
				<button
					type="button"
					className={css.kept}
					aria-pressed={value.secret}
					aria-label={`${place}: where ${what} is stored`}
					title={
						value.secret
							? `A secret: ${PLACES[shortPlace(store)]}. Press to keep it in the catalogue as typed`
							: "Kept in the catalogue as typed. Press to make it a secret"
					}
					data-testid={header ? TESTID.headerSecret : TESTID.variableSecret}
					onClick={() => onChange(toggled(value))}
				>
					{value.secret && <Icon of={SecretIcon} small />}
					{place}
				</button>
				<button
					type="button"
					className="btn ghost sm ico"
					aria-label={`${shown ? "Hide" : "Show"} value of ${what}`}
					title={shown ? "Hide the value" : "Show the value"}
					disabled={!value.secret}
					onClick={() => void show()}
				>
					{value.secret && <Icon of={shown ? HideIcon : RevealIcon} small />}
				</button>
				<button
					type="button"
					className="btn ghost sm ico"
					aria-label={`Remove ${what}`}
					title="Remove"
					onClick={onRemove}
				>
					<Icon of={CloseIcon} small />
				</button>
			</div>
			{value.kept === "missing" && value.value === null && (
				<p className={`sev-warning ${css.rowNote}`}>
					This app no longer has the value of {value.name}: type it again.
				</p>
			)}
			{failure !== null && (
				<p className={`sev-error ${css.rowNote}`} role="alert">
					{failure}
				</p>
			)}
		</>
	);
}

/** Of a stored secret that becomes a plain value nothing is left that could be shown: it is typed again. */
function toggled(value: TypedValue): TypedValue {
	return { ...value, secret: !value.secret, value: value.value ?? (value.secret ? "" : null) };
}

const PLACES = {
	keychain: "kept in the keychain",
	file: "kept in the encrypted file",
	memory: "kept until this app ends",
} as const;

function shortPlace(store: SecretStoreRow | null): keyof typeof PLACES {
	return store?.kind ?? "keychain";
}
