import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { FailIcon, OkIcon, RestartIcon, WarnIcon } from "../../components/icons";
import { Visible } from "../../components/Visible";
import type { Backend } from "../../ipc/backend";
import {
	CAPABILITIES,
	compare,
	EXTENSIONS,
	type Finding,
	isDeclared,
	type Observed,
	observe,
	unknownCapabilities,
} from "../../model/capabilities";
import { words } from "../../model/errors";
import { at, type Json } from "../../model/json/tree";
import { Section } from "./Section";
import css from "./Server.module.css";

interface Props {
	backend: Backend;
	session: string;
	declared: Json | null;
	/** Of the other era, where the server has been spoken to in it. */
	other: { era: string; declared: Json | null } | null;
}

/** What the server declares, against what the log has seen. */
export function Capabilities({ backend, session, declared, other }: Props) {
	const [turn, setTurn] = useState(0);
	const [seen, setSeen] = useState<ReadonlyMap<string, Observed>>(new Map());
	const [failure, setFailure] = useState<string | null>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: `turn` looks again
	useEffect(() => {
		let live = true;
		observe(backend, session)
			.then((observed) => live && setSeen(observed))
			.catch((error: unknown) => live && setFailure(words(error)));
		return () => {
			live = false;
		};
	}, [backend, session, turn]);
	return (
		<Section
			title="Capabilities"
			end={
				<button type="button" className="btn ghost sm" onClick={() => setTurn(turn + 1)}>
					<Icon of={RestartIcon} small />
					Look again
				</button>
			}
		>
			{failure !== null && <p className="strip err">This app cannot read the log: {failure}</p>}
			<table className={css.table} data-testid={TESTID.capabilities}>
				<thead>
					<tr>
						<th>Capability</th>
						<th>Declared</th>
						{other && <th>In the {other.era} era</th>}
						<th>In this session’s log</th>
						<th>What it is</th>
					</tr>
				</thead>
				<tbody>
					{CAPABILITIES.map(({ path, means, spec, methods, since }) => {
						const name = path.join(".");
						const on = isDeclared(declared, path);
						return (
							<tr key={name} data-capability={name}>
								<th className="mono" style={{ paddingLeft: path.length > 1 ? 24 : undefined }}>
									{path.length > 1 ? `.${path.at(-1)}` : name}
								</th>
								<td className={on ? undefined : "dim"}>{on ? "yes" : "no"}</td>
								{other && (
									<td className={isDeclared(other.declared, path) === on ? "dim" : "sev-warning"}>
										{isDeclared(other.declared, path) ? "yes" : "no"}
									</td>
								)}
								<td>
									{methods === "" ? (
										<span className="dim">—</span>
									) : (
										<Agrees finding={compare(on, seen.get(name) ?? null)} />
									)}
								</td>
								<td>
									{means} <span className="dim">{[spec, since].filter(Boolean).join(" · ")}</span>
								</td>
							</tr>
						);
					})}
					{unknownCapabilities(declared).map(({ name, raw }) => (
						<tr key={name}>
							<th className="mono">
								<Visible text={name} />
							</th>
							<td>yes</td>
							{other && <td />}
							<td className="mono">
								<Visible text={raw.slice(0, 200)} />
							</td>
							<td className="sub">Not in the specification: a client may ignore it.</td>
						</tr>
					))}
				</tbody>
			</table>
			<Named title="Extension" of={at(declared, "extensions")} />
			<Named title="Experimental" of={at(declared, "experimental")} />
		</Section>
	);
}

/** Members with their settings. */
function Named({ title, of }: { title: string; of: Json | null }) {
	if (!of || of.members.length === 0) return null;
	return (
		<table className={css.table}>
			<thead>
				<tr>
					<th>{title}</th>
					<th>Settings</th>
					<th>What it is</th>
				</tr>
			</thead>
			<tbody>
				{of.members.map(({ key, value, keyFrom }) => (
					<tr key={keyFrom}>
						<th className="mono">
							<Visible text={key} />
						</th>
						<td className="mono">
							<Visible text={value.raw.slice(0, 400)} />
						</td>
						<td className="sub">{EXTENSIONS[key] ?? "Not known to this app."}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

const ICONS = { ok: OkIcon, warning: WarnIcon, error: FailIcon } as const;

function Agrees({ finding: { tone, text } }: { finding: Finding }) {
	if (tone === "none") return <span className="dim">{text}</span>;
	return (
		<span className={`sev-${tone} ${css.agrees}`}>
			<Icon of={ICONS[tone]} small />
			{text}
		</span>
	);
}
