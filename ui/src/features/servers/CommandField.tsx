import { type RefObject, useEffect, useState } from "react";
import { TESTID } from "../../app/testids";
import { Visible } from "../../components/Visible";
import type { Backend } from "../../ipc/backend";
import { sentence, words } from "../../model/errors";
import css from "./ServerForm.module.css";

interface Props {
	backend: Backend;
	input: RefObject<HTMLInputElement | null>;
	/** A URL instead of a command line. */
	url: boolean;
	text: string;
	onText: (text: string) => void;
	/** What the host said of it when it was saved. */
	failure: string | null;
}

/** The command line with the words that it is split into, or the URL. */
export function CommandField({ backend, input, url, text, onText, failure }: Props) {
	const { argv, problem } = useArgv(backend, url ? "" : text);
	const wrong = failure ?? problem;
	return (
		<div>
			<span className={`fld ${wrong !== null ? "bad" : ""}`}>
				<input
					id="server-target"
					ref={input}
					value={text}
					placeholder={url ? "http://127.0.0.1:3000/mcp" : "npx -y @scope/server --flag"}
					spellCheck={false}
					autoComplete="off"
					aria-invalid={wrong !== null}
					data-testid={TESTID.addServerInput}
					onChange={(event) => onText(event.target.value)}
				/>
			</span>
			{argv.length > 0 && (
				<div className={css.argvLine}>
					<span className="dim xs">argv</span>
					<Argv words={argv} />
				</div>
			)}
			{wrong !== null && (
				<p className={`sev-error ${css.hint}`} role="alert">
					{sentence(wrong)}
				</p>
			)}
			<p className={css.hint}>
				{url ? (
					<>
						The server’s MCP endpoint, <code>http://</code> or <code>https://</code>.
					</>
				) : (
					<>
						Started directly, without a shell: <code>$HOME</code>, <code>~</code> and <code>|</code> are not
						expanded; <code>$&#123;NAME&#125;</code> takes a variable of the environment.
					</>
				)}
			</p>
		</div>
	);
}

/** The words that a server is started with. */
export function Argv({ words: list }: { words: readonly string[] }) {
	return (
		<div className={css.argv}>
			{list.map((word, i) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a word's place is its identity
				<span key={i} className="chip" data-testid={TESTID.argvChip}>
					<span className="n">{i}</span>
					<span className={css.word}>{word === "" ? '""' : <Visible text={word} />}</span>
				</span>
			))}
		</div>
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
