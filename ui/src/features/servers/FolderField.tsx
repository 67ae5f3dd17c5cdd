import { TESTID } from "../../app/testids";
import type { Typed } from "../../model/serverDraft";

/** Where a command is started. */
export function FolderField({ typed, onChange }: { typed: Typed; onChange: (typed: Typed) => void }) {
	return (
		<>
			<label htmlFor="server-cwd">Working folder</label>
			<span className="fld">
				<input
					id="server-cwd"
					value={typed.cwd}
					placeholder="the folder that this app was started in"
					spellCheck={false}
					autoComplete="off"
					data-testid={TESTID.cwd}
					onChange={(event) => onChange({ ...typed, cwd: event.target.value })}
				/>
			</span>
		</>
	);
}
