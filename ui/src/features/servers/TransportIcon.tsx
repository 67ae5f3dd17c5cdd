import { Icon } from "../../components/Icon";
import { HttpIcon, SseIcon, StdioIcon } from "../../components/icons";
import type { TransportName } from "../../ipc/bindings/TransportName";

const ICONS = { stdio: StdioIcon, http: HttpIcon, sse: SseIcon } as const;

/** How a server is reached, beside the word for it. */
export function TransportIcon({ of }: { of: TransportName }) {
	return <Icon of={ICONS[of]} small />;
}

/** A transport in the words of the rail. */
export const TRANSPORT_WORDS: Record<TransportName, string> = {
	stdio: "stdio",
	http: "http",
	sse: "legacy sse",
};
