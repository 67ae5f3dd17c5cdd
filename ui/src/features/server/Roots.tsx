import { useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { CloseIcon, PlusIcon } from "../../components/icons";
import type { Backend } from "../../ipc/backend";
import type { RootRow } from "../../ipc/bindings/RootRow";
import { words } from "../../model/errors";
import { Section } from "./Section";
import css from "./Server.module.css";

interface Props {
	backend: Backend;
	server: string;
	/** A session of it is connected and legacy: it is told at once. */
	told: boolean;
}

/** The folders that the server is told it may work in (client/roots). */
export function Roots({ backend, server, told }: Props) {
	const [kept, setKept] = useState<readonly RootRow[] | null>(null);
	const [roots, setRoots] = useState<readonly RootRow[]>([]);
	const [said, setSaid] = useState<{ bad: boolean; text: string } | null>(null);
	useEffect(() => {
		let live = true;
		backend
			.call("get_roots", { server })
			.then((rows) => {
				if (!live) return;
				setKept(rows);
				setRoots(rows);
			})
			.catch((error: unknown) => live && setSaid({ bad: true, text: words(error) }));
		return () => {
			live = false;
		};
	}, [backend, server]);
	const change = (next: readonly RootRow[]) => {
		setRoots(next);
		setSaid(null);
	};
	const set = (i: number, part: Partial<RootRow>) =>
		change(roots.map((root, at) => (at === i ? { ...root, ...part } : root)));
	const save = async () => {
		try {
			const rows = roots.filter(({ uri }) => uri !== "");
			await backend.call("set_roots", { server, roots: rows });
			setKept(rows);
			setRoots(rows);
			setSaid({ bad: false, text: told ? "Kept, and the server is told." : "Kept." });
		} catch (error) {
			setSaid({ bad: true, text: words(error) });
		}
	};
	const changed = JSON.stringify(roots) !== JSON.stringify(kept ?? []);
	return (
		<Section
			title="Roots"
			end={
				<>
					{said && <span className={said.bad ? "sev-error xs" : "dim xs"}>{said.text}</span>}
					<button
						type="button"
						className="btn ghost sm"
						data-testid={TESTID.addRoot}
						onClick={() => change([...roots, { uri: "file:///", name: null }])}
					>
						<Icon of={PlusIcon} small />
						Root
					</button>
					<button
						type="button"
						className="btn sm"
						disabled={!changed}
						data-testid={TESTID.saveRoots}
						onClick={() => void save()}
					>
						{told ? "Keep and announce" : "Keep"}
					</button>
				</>
			}
		>
			{roots.map(({ uri, name }, i) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: roots may be alike while they are typed
				<div key={i} className={css.root}>
					<label className={`fld ${uri.startsWith("file://") ? "" : "bad"}`}>
						<span className="vh">URI of root {i + 1}</span>
						<input
							value={uri}
							spellCheck={false}
							data-testid={TESTID.rootUri}
							onChange={(event) => set(i, { uri: event.target.value })}
						/>
					</label>
					<label className="fld ui">
						<span className="vh">Name of root {i + 1}</span>
						<input
							value={name ?? ""}
							placeholder="no name"
							spellCheck={false}
							onChange={(event) => set(i, { name: event.target.value === "" ? null : event.target.value })}
						/>
					</label>
					<button
						type="button"
						className="btn ghost sm ico"
						aria-label={`Remove root ${i + 1}`}
						title="Remove"
						onClick={() => change(roots.filter((_, at) => at !== i))}
					>
						<Icon of={CloseIcon} small />
					</button>
				</div>
			))}
			<p className={css.prose}>
				<span className="dim">
					{roots.some(({ uri }) => !uri.startsWith("file://"))
						? "Our check: a root begins with file://. It is kept and told all the same."
						: roots.length === 0
							? "None: a server that asks is told an empty list."
							: "Guidance for the server; nothing keeps it from going elsewhere."}
				</span>
			</p>
		</Section>
	);
}
