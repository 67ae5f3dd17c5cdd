/** Views over the logs, records and bodies. */
import type { Commands } from "../backend";
import type { RecordRow } from "../bindings/RecordRow";
import type { Area, Host } from "./host";
import { exchangeOf } from "./http";
import { matches } from "./rows";

/** The first 256 KiB of a body come with it. */
const HEAD = 256 * 1024;

type Names =
	| "open_view"
	| "view_rows"
	| "view_index"
	| "close_view"
	| "ack"
	| "get_record"
	| "get_frame"
	| "get_exchange"
	| "frame_range";

export function logCommands(host: Host): Area<Names> {
	return {
		open_view: ({ session, filter }) => openView(host, session, filter),
		view_rows: ({ view, from, n }) => viewRows(host, view, from, n),
		view_index: ({ view, seq }) => {
			const { hits } = host.view(view);
			if (!hits) return seq - 1;
			const at = hits.indexOf(seq - 1);
			return at < 0 ? null : at;
		},
		close_view: ({ view }) => {
			host.views.delete(view);
			return null;
		},
		ack: () => null,
		get_record: ({ session, seq }) => host.log(session).row(seq - 1),
		get_frame: ({ session, seq }) => {
			const body = host.log(session).body(seq);
			const [text, complete] = [body.slice(0, HEAD), body.length <= HEAD];
			return { seq, size: body.length, text, complete, utf8: true, message: null };
		},
		get_exchange: ({ session, seq }) => exchangeOf(host.log(session), seq),
		frame_range: ({ session, seq, from, len }) => {
			const log = host.log(session);
			const body = log.body(seq);
			const encoder = new TextEncoder();
			// A long body is asked for piece by piece; as many bytes as characters: it is ASCII.
			const ascii = log.row(seq - 1).size === body.length;
			return ascii
				? encoder.encode(body.slice(from, from + len)).buffer
				: encoder.encode(body).slice(from, from + len).buffer;
		},
	};
}

function openView(host: Host, session: string, filter: string): Commands["open_view"]["answer"] {
	const log = host.log(session);
	const bad = filter.indexOf("colour:");
	const all = filter.trim() === "" || bad >= 0;
	const hits = all
		? null
		: Array.from({ length: log.size }, (_, i) => i).filter((i) => matches(log.row(i), filter));
	const view = host.next();
	host.views.set(view, { session, filter: all ? "" : filter, hits });
	const problem = bad < 0 ? null : { from: bad, to: bad + 7, message: "There is no key “colour”." };
	return { view, total: hits?.length ?? log.size, log_total: log.size, problem };
}

function viewRows(host: Host, view: number, from: number, n: number): RecordRow[] {
	const { session, hits } = host.view(view);
	const log = host.log(session);
	const total = hits?.length ?? log.size;
	return Array.from({ length: Math.max(0, Math.min(n, total - from)) }, (_, i) =>
		log.row(hits?.[from + i] ?? from + i),
	);
}
