import type { ReactNode } from "react";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import { ListFailed } from "./ListFailed";
import type { Offers } from "./useOffers";

interface Props {
	offers: Offers;
	row: SessionRow;
	/** What is missing, in the plural. */
	what: string;
	/** What else can be done. */
	more?: ReactNode;
}

/** Why a list is empty, and what can be done about it. */
export function NoOffers({ offers, row, what, more }: Props) {
	if (row.conn.state === "connecting")
		return <p className="empty dim">The {what} follow once the server is connected.</p>;
	if (!offers.connected) {
		return (
			<p className="empty dim">
				This session is read from the log. Select a request in the timeline to see its result; connect to ask
				for {what}.
			</p>
		);
	}
	if (offers.failure !== null) {
		return <ListFailed method={offers.method} why={offers.failure} onAgain={offers.reload} />;
	}
	if (offers.loading) return <p className="empty dim">Reading the {what}.</p>;
	if (offers.session === row.id) {
		return (
			<div className="empty">
				<p className="dim">The server lists no {what}.</p>
				<div className="acts">{more}</div>
			</div>
		);
	}
	return (
		<div className="empty">
			<p>
				{offers.declared === null ? (
					"It is not known what the server declares."
				) : (
					<>
						The server does not declare the <span className="mono">{offers.capability}</span> capability.
					</>
				)}
			</p>
			<div className="acts">
				<button type="button" className="btn" onClick={offers.reload}>
					Ask anyway: {offers.method}
				</button>
				{more}
			</div>
		</div>
	);
}
