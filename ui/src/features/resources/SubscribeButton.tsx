import { TESTID } from "../../app/testids";
import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import { declares } from "../../model/serverInfo";

interface Props {
	app: AppStore;
	row: SessionRow;
	/** The URI that would be read. */
	uri: string;
}

/** Subscribes to what would be read, or ends that. A server that declares nothing of the kind can be asked all the same. */
export function SubscribeButton({ app, row, uri }: Props) {
	const subscriptions = useStore(app.subscriptions);
	const infos = useStore(app.infos);
	const open = subscriptions.to(row.id, uri);
	const connected = row.conn.state === "connected" && !row.elsewhere;
	const declared = declares(infos.of(row.id), "resources", "subscribe");
	const method = row.era === "modern" ? "subscriptions/listen" : "resources/subscribe";
	return (
		<button
			type="button"
			className="btn"
			disabled={!connected || uri === ""}
			title={
				connected
					? `${open ? "Ends the subscription" : method}${declared === false ? "; the server does not declare resources.subscribe" : ""}`
					: "The server is not connected here"
			}
			data-testid={TESTID.subscribe}
			onClick={() =>
				void (open ? subscriptions.end(row.id, open.seq) : subscriptions.begin(row.id, [uri], []))
			}
		>
			{open ? "Unsubscribe" : "Subscribe"}
		</button>
	);
}
