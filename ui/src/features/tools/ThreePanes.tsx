import type { ReactNode } from "react";
import { Split } from "../../components/Split";
import { useStore } from "../../components/useStore";
import type { Settings } from "../../model/settings";

interface Props {
	settings: Settings;
	list: ReactNode;
	form: ReactNode;
	wire: ReactNode;
}

const PANES = ["list", "args", "wire"] as const;

/** What there is, what is filled in, what goes over the wire: the same widths in every tab. */
export function ThreePanes({ settings, list, form, wire }: Props) {
	useStore(settings);
	return (
		<Split
			direction="horizontal"
			label="Resize columns"
			layout={settings.layout("tools", PANES)}
			onLayout={(layout) => settings.setLayout("tools", layout)}
			panes={[
				{ id: "list", size: "222px", min: "140px", children: list },
				{ id: "args", size: "43%", min: "300px", children: form },
				{ id: "wire", size: "38.5%", min: "260px", children: wire },
			]}
		/>
	);
}
