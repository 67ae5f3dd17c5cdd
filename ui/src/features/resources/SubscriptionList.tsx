import { TESTID } from "../../app/testids";
import { Icon } from "../../components/Icon";
import { CloseIcon } from "../../components/icons";
import { useNow } from "../../components/useNow";
import { useStore } from "../../components/useStore";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { SubscriptionRow } from "../../ipc/bindings/SubscriptionRow";
import type { AppStore } from "../../model/appStore";
import type { SessionStore } from "../../model/sessionStore";
import { about, isOpen, standing, withheld } from "../../model/subscriptions";
import { visible } from "../../model/visible";
import css from "./Resources.module.css";

interface Props {
	app: AppStore;
	session: SessionStore;
	row: SessionRow;
}

/** What was subscribed to, live. In the modern era lists can be listened to as well. */
export function SubscriptionList({ app, session, row }: Props) {
	const subscriptions = useStore(app.subscriptions);
	const rows = subscriptions.of(row.id);
	const modern = row.era === "modern" && row.conn.state === "connected" && !row.elsewhere;
	const listens = rows.some((one) => isOpen(one) && one.lists.length > 0);
	const problem = subscriptions.problem(row.id);
	if (rows.length === 0 && !modern) return null;
	return (
		<section className={css.subscriptions} aria-label="Subscriptions">
			<header className={css.head}>
				<h3>Subscriptions</h3>
				<span className="grow" />
				{modern && !listens && (
					<button
						type="button"
						className="btn ghost sm"
						title="subscriptions/listen: hear when tools, prompts or resources change"
						data-testid={TESTID.listenLists}
						onClick={() => void subscriptions.begin(row.id, [], ["tools", "prompts", "resources"])}
					>
						Listen to lists
					</button>
				)}
			</header>
			{problem !== null && <p className="strip err">{visible(problem)}</p>}
			<ul className={css.rows}>
				{rows.map((one) => (
					<Subscription
						key={one.seq}
						row={one}
						onShow={() => void session.selectSeq(one.last_seq ?? one.seq)}
						onEnd={() => void subscriptions.end(row.id, one.seq)}
					/>
				))}
			</ul>
		</section>
	);
}

function Subscription({
	row,
	onShow,
	onEnd,
}: {
	row: SubscriptionRow;
	onShow: () => void;
	onEnd: () => void;
}) {
	const now = useNow(1000, isOpen(row)) * 1000;
	const what = about(row).map(visible).join(", ");
	const less = withheld(row);
	return (
		<li
			className={css.row}
			data-testid={TESTID.subscription}
			data-state={row.state}
			data-updates={row.updates}
		>
			<button type="button" className={css.what} title={`${what}\nShow its newest frame`} onClick={onShow}>
				<span className={`mono trunc ${isOpen(row) ? "" : css.ended}`}>{what}</span>
				<span className={`xs trunc ${row.state === "refused" ? "sev-error" : "dim"}`}>
					{visible(standing(row, now))}
				</span>
				{less.length > 0 && (
					<span className="sev-warning xs trunc" title={less.map(visible).join(", ")}>
						not granted: {less.map(visible).join(", ")}
					</span>
				)}
			</button>
			{isOpen(row) && (
				<button
					type="button"
					className="btn ghost sm ico"
					aria-label={`Unsubscribe from ${what}`}
					title="Unsubscribe"
					onClick={onEnd}
				>
					<Icon of={CloseIcon} small />
				</button>
			)}
		</li>
	);
}
