import { useState } from "react";
import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { SecretIcon } from "../../components/icons";
import type { Locked, SessionList } from "../../model/sessionList";
import { visible } from "../../model/visible";
import css from "./Sessions.module.css";

/** Files that were chosen for import and need a passphrase: each asks for its own. */
export function LockedFiles({ list }: { list: SessionList }) {
	return list.locked.map((file) => <LockedStrip key={file.id} list={list} file={file} />);
}

function LockedStrip({ list, file }: { list: SessionList; file: Locked }) {
	const [passphrase, setPassphrase] = useState("");
	const name = visible(file.name);
	return (
		<form
			className={`strip ${file.problem === null ? "inf" : "err"}`}
			data-testid={TESTID.lockedFile}
			onSubmit={(event) => {
				event.preventDefault();
				void list.openLocked(file.id, passphrase);
			}}
		>
			<Icon of={SecretIcon} small />
			<span className="mono trunc">{name}</span>
			<span role={file.problem === null ? undefined : "alert"} className={css.lockedWords}>
				{file.problem === null
					? "is encrypted with a passphrase."
					: `${file.problem}. The file stays here to be tried again.`}
			</span>
			<span className="grow" />
			<label className={`fld ${css.passphrase} ${file.problem === null ? "" : "bad"}`}>
				<span className="vh">Passphrase of {name}</span>
				<input
					type="password"
					autoComplete="off"
					placeholder="passphrase"
					value={passphrase}
					aria-invalid={file.problem !== null}
					data-testid={TESTID.lockedPassphrase}
					onChange={(event) => setPassphrase(event.target.value)}
				/>
			</label>
			<button
				type="submit"
				className="btn sm"
				disabled={passphrase === "" || file.busy}
				data-testid={TESTID.lockedOpen}
			>
				{file.busy ? "Opening" : file.problem === null ? "Open" : "Try again"}
			</button>
			<button
				type="button"
				className="btn ghost sm"
				title="Imports nothing of this file; the file itself stays where it is"
				data-testid={TESTID.lockedForget}
				onClick={() => void list.forgetLocked(file.id)}
			>
				Forget
			</button>
		</form>
	);
}
