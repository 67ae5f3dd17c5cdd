import { TESTID } from "../../app/testids";
import { CopyButton } from "../../components/CopyButton";
import { useStore } from "../../components/useStore";
import type { PageKind } from "../../ipc/bindings/PageKind";
import type { SessionRow } from "../../ipc/bindings/SessionRow";
import type { AppStore } from "../../model/appStore";
import { plural } from "../../model/format";
import { cursorText } from "../../model/listPages";
import type { SessionStore } from "../../model/sessionStore";
import { visible } from "../../model/visible";
import css from "./Pager.module.css";

interface Props {
	app: AppStore;
	session: SessionStore;
	row: SessionRow;
	what: PageKind;
	/** Items of the list as a whole; null where it is not read. */
	total: number | null;
}

/** Below a list: whether it is read as a whole or page by page, and the next page. */
export function Pager({ app, session, row, what, total }: Props) {
	const pages = useStore(app.pages);
	const list = pages.of(row.id, what);
	if (row.conn.state !== "connected" || row.elsewhere) return null;
	if (!list) {
		return (
			<div className={css.pager} data-testid={TESTID.pager} data-what={what}>
				<span className="dim trunc grow">{total === null ? what : `all ${total} ${what}`}</span>
				<button
					type="button"
					className="btn ghost sm"
					title={`Read ${what} one page at a time, as the server cuts them`}
					data-testid={TESTID.pageByPage}
					onClick={() => void pages.begin(row.id, what)}
				>
					Page by page
				</button>
			</div>
		);
	}
	const last = list.pages.at(-1);
	const cursor = last?.next ?? null;
	const problem = list.failure ?? list.pages.flatMap(({ problems }) => problems)[0] ?? null;
	return (
		<div className={css.paged} data-testid={TESTID.pager} data-what={what} data-pages={list.pages.length}>
			<div className={css.pager}>
				<span className="trunc grow" role="status">
					{what}: {list.loading && !last ? "reading" : plural(list.pages.length, "page")}, {list.items.length}
				</span>
				<button
					type="button"
					className="btn ghost sm"
					title={`Read all pages of ${what} at once`}
					onClick={() => pages.leave(row.id, what)}
				>
					All
				</button>
			</div>
			<div className={css.pager}>
				<button
					type="button"
					className="btn sm"
					disabled={list.loading || (last !== undefined && cursor === null)}
					title={cursor === null ? undefined : `cursor ${visible(cursorText(cursor))}`}
					data-testid={TESTID.nextPage}
					onClick={() => void pages.next(row.id, what)}
				>
					{list.failure !== null ? "Try again" : "Next page"}
				</button>
				{cursor === null ? (
					<span className="dim trunc">{last ? "that was the last" : ""}</span>
				) : (
					<>
						<span className="mono dim trunc grow" title={visible(cursorText(cursor))}>
							{visible(cursorText(cursor)) || "empty cursor"}
						</span>
						<CopyButton text={() => cursorText(cursor)} label="Copy the cursor" />
					</>
				)}
				{last && (
					<button
						type="button"
						className="btn ghost sm mono"
						title="Show the frame of the last page"
						onClick={() => void session.selectSeq(last.answer)}
					>
						#{last.answer}
					</button>
				)}
			</div>
			{problem !== null && (
				<p className={`selectable ${list.failure !== null ? "sev-error" : "sev-warning"}`}>
					{visible(problem)}
				</p>
			)}
		</div>
	);
}
