import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { CodeEdit } from "../../components/CodeEdit";
import { Icon } from "../../components/Icon";
import { PlusIcon } from "../../components/icons";
import type { Backend } from "../../ipc/backend";
import type { ClientDraft } from "../../ipc/bindings/ClientDraft";
import type { ClientRow } from "../../ipc/bindings/ClientRow";
import { draftOfClient, keptText, newRule, PARTS, problemOf, shownText } from "../../model/clientDraft";
import { words } from "../../model/errors";
import { Rule } from "./Rule";
import { Section } from "./Section";
import css from "./Server.module.css";

/** How this app shows itself to the server, and what it answers by rule. Wrong on purpose is possible as long as it is an object. */
export function ClientFace({ backend, server }: { backend: Backend; server: string }) {
	const [row, setRow] = useState<ClientRow | null>(null);
	const [draft, setDraft] = useState<ClientDraft | null>(null);
	const [said, setSaid] = useState<{ bad: boolean; text: string } | null>(null);
	useEffect(() => {
		let live = true;
		backend
			.call("get_client", { server })
			.then((read) => {
				if (!live) return;
				setRow(read);
				setDraft(draftOfClient(read));
			})
			.catch((error: unknown) => live && setSaid({ bad: true, text: words(error) }));
		return () => {
			live = false;
		};
	}, [backend, server]);
	if (!row || !draft) return said && <p className="strip err">{said.text}</p>;
	const change = (part: Partial<ClientDraft>) => {
		setDraft({ ...draft, ...part });
		setSaid(null);
	};
	const keep = async () => {
		try {
			await backend.call("set_client", { server, draft });
			const before = draftOfClient(row);
			setRow({ ...row, ...draft });
			const face = PARTS.some(({ key }) => before[key] !== draft[key]);
			setSaid({ bad: false, text: face ? "Kept; it holds from the next connection on." : "Kept." });
		} catch (error) {
			setSaid({ bad: true, text: words(error) });
		}
	};
	const changed = JSON.stringify(draft) !== JSON.stringify(draftOfClient(row));
	const bad = PARTS.some(({ key }) => problemOf(draft[key]) !== null);
	return (
		<Section
			title="This app, as the server sees it"
			end={
				<>
					{said && <span className={said.bad ? "sev-error xs" : "dim xs"}>{said.text}</span>}
					<button
						type="button"
						className="btn sm"
						disabled={!changed || bad}
						data-testid={TESTID.saveClient}
						onClick={() => void keep()}
					>
						Keep
					</button>
				</>
			}
		>
			<div className={css.parts}>
				{PARTS.map(({ key, label, spec }) => {
					const problem = problemOf(draft[key]);
					return (
						<div key={key} className={css.part}>
							<p>
								{label} <span className="dim xs">{spec}</span>
								<span className="grow" />
								{problem !== null && <span className="sev-error xs">Our check: {problem}</span>}
								{draft[key] !== null && (
									<button type="button" className="btn ghost sm" onClick={() => change({ [key]: null })}>
										As this app does
									</button>
								)}
							</p>
							<CodeEdit
								value={shownText(row, draft, key)}
								onChange={(text) => change({ [key]: keptText(row, key, text) })}
								onSubmit={() => void keep()}
								label={label}
								testId={`${TESTID.clientPart}-${key}`}
							/>
						</div>
					);
				})}
			</div>
			<header className={css.title}>
				<h3>Answers by rule</h3>
				<span className="dim xs">The first that fits answers, and a note in the log says so.</span>
				<span className="grow" />
				<button
					type="button"
					className="btn ghost sm"
					data-testid={TESTID.addRule}
					onClick={() => change({ rules: [...draft.rules, newRule()] })}
				>
					<Icon of={PlusIcon} small />
					Rule
				</button>
			</header>
			{draft.rules.map((rule, i) => (
				<Rule
					// biome-ignore lint/suspicious/noArrayIndexKey: rules may be alike
					key={i}
					number={i + 1}
					rule={rule}
					onChange={(next) => change({ rules: draft.rules.map((old, at) => (at === i ? next : old)) })}
					onRemove={() => change({ rules: draft.rules.filter((_, at) => at !== i) })}
				/>
			))}
			{draft.rules.length === 0 && (
				<p className={css.prose}>
					<span className="dim">
						None: what the server asks waits for you. roots/list is answered with the roots.
					</span>
				</p>
			)}
		</Section>
	);
}
