import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

/** A tab: its value, what it says, and why it cannot be used, if so. */
export interface Tab {
	value: string;
	label: ReactNode;
	count?: ReactNode;
	/** The reason why it is disabled, as its tooltip. */
	off?: string | undefined;
	testId?: string;
}

interface Props {
	tabs: readonly Tab[];
	value: string;
	onChange: (value: string) => void;
	label: string;
	/** The lower row of tabs within a pane. */
	small?: boolean;
	/** At the right of the row. */
	end?: ReactNode;
}

/** A row of tabs; what they show is the caller's. */
export function Tabs({ tabs, value, onChange, label, small = false, end }: Props) {
	return (
		<Base.Root
			className={small ? "tabs sm" : "tabs"}
			value={value}
			onValueChange={(next) => onChange(String(next))}
		>
			<Base.List aria-label={label} activateOnFocus>
				{tabs.map((tab) => (
					<Base.Tab
						key={tab.value}
						value={tab.value}
						disabled={tab.off !== undefined}
						title={tab.off}
						data-testid={tab.testId}
					>
						{tab.label}
						{tab.count !== undefined && <span className="n">{tab.count}</span>}
					</Base.Tab>
				))}
			</Base.List>
			{end !== undefined && <span className="end">{end}</span>}
		</Base.Root>
	);
}
