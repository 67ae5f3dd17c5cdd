import { useState } from "react";
import { TESTID } from "../../app/testids";
import type { AuthValue, StepKind } from "../../ipc/auth";
import type { AppStore } from "../../model/appStore";
import { visible } from "../../model/visible";
import css from "./Auth.module.css";

interface Props {
	app: AppStore;
	server: string;
	step: StepKind;
	values: readonly AuthValue[];
	/** A step runs. */
	off: boolean;
}

/** What a step sends, to be changed for this sign-in alone: to see what the server does with it. */
export function StepValues({ app, server, step, values, off }: Props) {
	return (
		<ul className={css.values} aria-label="Values of this step">
			{values.map((value) => (
				<Value
					// What the host made of it takes the place of what was typed.
					key={`${value.name} ${value.value} ${value.edited}`}
					value={value}
					off={off}
					onSet={(text) =>
						void app.auth.act(server, "sign_in_set_value", { step, name: value.name, value: text })
					}
				/>
			))}
		</ul>
	);
}

function Value({
	value,
	off,
	onSet,
}: {
	value: AuthValue;
	off: boolean;
	onSet: (text: string | null) => void;
}) {
	const [typed, setTyped] = useState(value.value);
	const changed = typed !== value.value;
	return (
		<li>
			<form
				className={css.value}
				onSubmit={(event) => {
					event.preventDefault();
					if (changed) onSet(typed);
				}}
			>
				<label className="trunc" title={visible(value.name)} htmlFor={`value-${value.name}`}>
					{visible(value.label)}
				</label>
				<span
					className={value.edited ? `fld ${css.edited}` : "fld"}
					title={value.edited ? "Changed by you" : undefined}
				>
					<input
						id={`value-${value.name}`}
						type={value.secret ? "password" : "text"}
						value={typed}
						placeholder={value.secret ? "•••• masked, type to replace" : "none"}
						spellCheck={false}
						autoComplete="off"
						disabled={off}
						data-testid={TESTID.signInValue}
						data-name={value.name}
						onChange={(event) => setTyped(event.target.value)}
					/>
				</span>
				<span className={css.valueEnd}>
					{changed ? (
						<button type="submit" className="btn sm" title="This step and all after it run anew">
							Set
						</button>
					) : (
						value.edited && (
							<>
								<span className="vh">edited</span>
								<button
									type="button"
									className="btn ghost sm"
									disabled={off}
									title="Takes your change back; this step and all after it run anew"
									data-testid={TESTID.signInUsual}
									data-name={value.name}
									onClick={() => onSet(null)}
								>
									Undo
								</button>
							</>
						)
					)}
				</span>
			</form>
		</li>
	);
}
