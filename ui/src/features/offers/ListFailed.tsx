import { sentence } from "../../model/errors";
import { visible } from "../../model/visible";

interface Props {
	/** The method that reads the list. */
	method: string;
	why: string;
	onAgain: () => void;
}

/** Why there is no list, and asking once more. */
export function ListFailed({ method, why, onAgain }: Props) {
	return (
		<div className="empty">
			<p className="selectable">
				<span className="mono">{method}</span> failed. {visible(sentence(why))}
			</p>
			<div className="acts">
				<button type="button" className="btn" onClick={onAgain}>
					Try again
				</button>
			</div>
		</div>
	);
}
