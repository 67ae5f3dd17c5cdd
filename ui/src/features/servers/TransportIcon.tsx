import { Icon } from "../../components/Icon";
import { HttpIcon, StdioIcon } from "../../components/icons";
import type { TransportName } from "../../ipc/bindings/TransportName";

/** How a server is reached, beside the word for it. */
export function TransportIcon({ of }: { of: TransportName }) {
	return <Icon of={of === "stdio" ? StdioIcon : HttpIcon} small />;
}
