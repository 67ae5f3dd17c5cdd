import type { OfferKind } from "../../ipc/bindings/OfferKind";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import { hasSkills } from "../../model/skills";
import { Reload } from "../tools/CatalogBar";
import { useOffers } from "./useOffers";

interface Props {
	app: AppStore;
	row: SessionRow;
	what: OfferKind;
	/** Read with it. */
	and?: OfferKind;
}

/** How fresh a list of offers is, and asking for it again. */
export function OfferReload({ app, row, what, and = what }: Props) {
	const list = useOffers(app, row, what);
	const other = useOffers(app, row, and);
	return (
		<Reload
			method={list.method}
			loading={list.loading || other.loading}
			known={list.session !== null}
			connected={list.connected}
			onReload={() => {
				list.reload();
				if (and !== what) other.reload();
				// Skills stand among the resources.
				if (what === "resources" && hasSkills(app.infos.of(row.id))) void app.skills.read(row.id, true);
			}}
		/>
	);
}
