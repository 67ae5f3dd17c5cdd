import { useEffect } from "react";
import { useStore } from "../../components/useStore";
import type { OfferKind } from "../../ipc/bindings/OfferKind";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import { LIST_METHODS, type OfferList } from "../../model/offers";
import { declares } from "../../model/serverInfo";

/** A list of what a server offers, and asking for it. */
export interface Offers extends OfferList {
	method: string;
	/** The capability that it belongs to, and whether the server declares it; null while that is not known. */
	capability: string;
	declared: boolean | null;
	connected: boolean;
	/** How many it lists; null where it is not read. */
	total: number | null;
	reload: () => void;
}

/** Reads a list when it is first looked at in a session, where the server declares that it has one. */
export function useOffers(app: AppStore, row: SessionRow, what: OfferKind): Offers {
	const offers = useStore(app.offers);
	const infos = useStore(app.infos);
	const capability = what === "prompts" ? "prompts" : "resources";
	const server = app.server ?? row.id;
	const list = offers.of(server, what);
	const declared = declares(infos.of(row.id), capability);
	const connected = row.conn.state === "connected" && !row.elsewhere;
	const due = connected && declared === true && list.session !== row.id && !list.loading;
	useEffect(() => {
		if (due) void offers.ensure(server, row.id, what);
	}, [due, offers, server, row.id, what]);
	return {
		...list,
		method: LIST_METHODS[what],
		capability,
		declared,
		connected,
		total: list.session === null ? null : list.items.length,
		reload: () => void offers.read(server, row.id, what),
	};
}
