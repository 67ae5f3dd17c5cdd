import { useEffect, useRef, useState } from "react";
import { TESTID } from "../../app/testids";
import { MOD } from "../../components/keys";
import { Visible } from "../../components/Visible";
import type { Backend } from "../../ipc/backend";
import type { AppStore } from "../../model/appStore";
import { words } from "../../model/errors";
import css from "./Servers.module.css";

/** A new server by its command line. */
export function AddServer({ app }: { app: AppStore }) {
	const [name, setName] = useState("");
	const [line, setLine] = useState("");
	const [failure, setFailure] = useState<string | null>(null);
	const { argv, problem } = useArgv(app.backend, line);
	const input = useRef<HTMLInputElement>(null);
	useEffect(() => input.current?.focus(), []);

	const save = async (connect: boolean) => {
		setFailure(null);
		try {
			const server = await app.addServer({ name: name.trim(), command_line: line });
			if (connect) await app.connect(server.id);
		} catch (error) {
			setFailure(words(error));
			input.current?.focus();
		}
	};
	const empty = line.trim() === "";
	return (
		<form
			className={css.add}
			aria-label="Add server"
			onSubmit={(event) => {
				event.preventDefault();
				if (!empty) void save(true);
			}}
			onKeyDown={(event) => {
				if (event.key === "Escape") app.setAdding(false);
				if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !empty) void save(true);
			}}
		>
			<div className={css.fields}>
				<label htmlFor="add-line">Command line</label>
				<div>
					<span className={`fld ${problem || failure ? "bad" : ""}`}>
						<input
							id="add-line"
							ref={input}
							value={line}
							placeholder="npx -y @scope/server --flag"
							spellCheck={false}
							autoComplete="off"
							data-testid={TESTID.addServerInput}
							onChange={(event) => setLine(event.target.value)}
						/>
					</span>
					<div className={css.argv}>
						{argv.map((word, i) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: a word's place is its identity
							<span key={i} className="chip" data-testid={TESTID.argvChip}>
								<span className="n">{i}</span>
								<span className="trunc">{word === "" ? '""' : <Visible text={word} />}</span>
							</span>
						))}
						{(failure ?? problem) !== null && (
							<span className="sev-error xs" role="alert">
								{failure ?? problem}
							</span>
						)}
					</div>
					<p className={css.hint}>
						Started directly, without a shell: <code>$HOME</code>, <code>~</code> and <code>|</code> are not
						expanded; <code>$&#123;NAME&#125;</code> takes a variable of the environment.
					</p>
				</div>
				<label htmlFor="add-name">Name</label>
				<span className="fld ui">
					<input
						id="add-name"
						value={name}
						placeholder="made from the command"
						spellCheck={false}
						autoComplete="off"
						data-testid={TESTID.addServerName}
						onChange={(event) => setName(event.target.value)}
					/>
				</span>
			</div>
			<footer className={css.foot}>
				<button type="submit" className="btn pri" disabled={empty} data-testid={TESTID.addServerConnect}>
					Connect <kbd>{MOD} ↵</kbd>
				</button>
				<button
					type="button"
					className="btn"
					disabled={empty}
					data-testid={TESTID.addServerSave}
					onClick={() => void save(false)}
				>
					Save
				</button>
				<button type="button" className="btn ghost" onClick={() => app.setAdding(false)}>
					Cancel <kbd>Esc</kbd>
				</button>
			</footer>
		</form>
	);
}

/** The words of a command line as the host will split it; the old ones stay while it is asked. */
function useArgv(backend: Backend, line: string): { argv: string[]; problem: string | null } {
	const [state, setState] = useState<{ argv: string[]; problem: string | null }>({ argv: [], problem: null });
	useEffect(() => {
		if (line.trim() === "") {
			setState({ argv: [], problem: null });
			return;
		}
		let live = true;
		backend
			.call("split_command_line", { text: line })
			.then((argv) => live && setState({ argv, problem: null }))
			.catch((error: unknown) => live && setState((old) => ({ ...old, problem: words(error) })));
		return () => {
			live = false;
		};
	}, [backend, line]);
	return state;
}
