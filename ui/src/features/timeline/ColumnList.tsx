import { Popover } from "@base-ui/react/popover";
import { TESTID } from "../../app/testids";
import { NARROWEST, WIDEST } from "../../components/ColumnGrip";
import { Icon } from "../../components/Icon";
import { ColumnsIcon } from "../../components/icons";
import menu from "../../components/Menu.module.css";
import { useStore } from "../../components/useStore";
import type { Settings } from "../../model/settings";
import { COLUMNS, type Column, widthOf } from "./columns";
import css from "./Timeline.module.css";

/** Which columns there are, and how wide: what dragging their edges does, by keyboard. */
export function ColumnList({ settings }: { settings: Settings }) {
	useStore(settings);
	const widths = settings.widths("timeline");
	const set = (id: string, width: number) => settings.setWidths("timeline", { ...widths, [id]: width });
	return (
		<Popover.Root>
			<Popover.Trigger
				className="btn ghost sm ico"
				aria-label="Columns"
				title="Columns"
				data-testid={TESTID.columns}
			>
				<Icon of={ColumnsIcon} small />
			</Popover.Trigger>
			<Popover.Portal>
				<Popover.Positioner className={menu.positioner ?? ""} align="end" sideOffset={2}>
					<Popover.Popup className={menu.popup ?? ""} aria-label="Columns of the timeline">
						{COLUMNS.filter(({ id }) => id !== "summary").map((column) => (
							<Line
								key={column.id}
								column={column}
								shown={widths[column.id] !== 0}
								width={widthOf(column, widths)}
								onShow={(on) => set(column.id, on ? column.width : 0)}
								onWidth={(width) => set(column.id, width)}
							/>
						))}
						<div className={menu.line} />
						<button
							type="button"
							className={`btn ghost sm ${css.reset}`}
							onClick={() => settings.setWidths("timeline", {})}
						>
							All columns, at their own widths
						</button>
					</Popover.Popup>
				</Popover.Positioner>
			</Popover.Portal>
		</Popover.Root>
	);
}

interface LineProps {
	column: Column;
	shown: boolean;
	width: number;
	onShow: (on: boolean) => void;
	onWidth: (width: number) => void;
}

function Line({ column, shown, width, onShow, onWidth }: LineProps) {
	return (
		<div className={menu.item}>
			<label className={css.show}>
				<input
					type="checkbox"
					className="check"
					checked={shown}
					onChange={(event) => onShow(event.target.checked)}
				/>
				{column.name}
			</label>
			<span className="grow" />
			<input
				className={css.width}
				type="range"
				aria-label={`Width of ${column.name}, pixels`}
				min={NARROWEST}
				max={WIDEST}
				step={4}
				value={width}
				disabled={!shown}
				onChange={(event) => onWidth(event.target.valueAsNumber)}
			/>
			<span className={`num dim ${css.pixels}`}>{width}</span>
		</div>
	);
}
