import { Icon } from "../../components/Icon";
import { SecretIcon } from "../../components/icons";
import { Visible } from "../../components/Visible";
import type { TransportName } from "../../ipc/bindings/TransportName";
import { Argv } from "./CommandField";
import css from "./ServerForm.module.css";

/** A variable or header as it is shown before anything is started. */
export interface Fact {
	name: string;
	/** Null for a secret. */
	value: string | null;
}

interface Props {
	transport: TransportName;
	argv: readonly string[];
	cwd: string;
	url: string;
	/** Variables, or headers over HTTP. */
	values: readonly Fact[];
}

/** What would be started, or where would be connected to, in full. */
export function Facts({ transport, argv, cwd, url, values }: Props) {
	const stdio = transport === "stdio";
	return (
		<dl className={css.facts}>
			<dt>{stdio ? "Command" : "URL"}</dt>
			<dd>
				{stdio ? (
					<Argv words={argv} />
				) : (
					<span className="mono">
						<Visible text={url} />
					</span>
				)}
			</dd>
			{stdio && (
				<>
					<dt>Working folder</dt>
					<dd>
						{cwd === "" ? (
							<span className="dim">the folder that this app was started in</span>
						) : (
							<span className="mono">
								<Visible text={cwd} />
							</span>
						)}
					</dd>
				</>
			)}
			<dt>{stdio ? "Environment" : "Headers"}</dt>
			<dd>{values.length === 0 ? <span className="dim">nothing set here</span> : <Values of={values} />}</dd>
		</dl>
	);
}

function Values({ of }: { of: readonly Fact[] }) {
	return (
		<ul className={css.values}>
			{of.map(({ name, value }, i) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
				<li key={i}>
					<Visible text={name} />
					{value === null ? (
						<>
							<Icon of={SecretIcon} small />
							<span className="dim">secret</span>
						</>
					) : (
						<span className="sub">
							= <Visible text={value} />
						</span>
					)}
				</li>
			))}
		</ul>
	);
}
