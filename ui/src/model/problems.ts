/** The next or previous record that tells of something wrong, however far away: the host's filters find it. */
import type { Backend } from "../ipc/backend";

/** What counts, in the filter language; any of them. */
const WRONG = ["status:error,iserror,timeout", "kind:malformed", "has:crash"];

/** Number of the nearest such record after `seq`, or before it, among those that `filter` shows. */
export async function nextProblem(
	backend: Backend,
	session: string,
	filter: string,
	seq: number,
	way: 1 | -1,
): Promise<number | null> {
	const found = await Promise.all(
		WRONG.map((wrong) => nearest(backend, session, `${filter} ${wrong}`.trim(), seq, way)),
	);
	const seqs = found.filter((hit) => hit !== null);
	if (seqs.length === 0) return null;
	return way > 0 ? Math.min(...seqs) : Math.max(...seqs);
}

async function nearest(
	backend: Backend,
	session: string,
	filter: string,
	seq: number,
	way: 1 | -1,
): Promise<number | null> {
	const { view, total, problem } = await backend.call("open_view", { session, filter });
	try {
		if (problem) return null;
		const at = async (index: number) =>
			(await backend.call("view_rows", { view, from: index, n: 1 }))[0]?.seq ?? null;
		// Rows are in the order of their numbers: how many come before the place.
		let [low, high] = [0, total];
		while (low < high) {
			const middle = Math.floor((low + high) / 2);
			const there = await at(middle);
			if (there !== null && (way > 0 ? there <= seq : there < seq)) low = middle + 1;
			else high = middle;
		}
		const index = way > 0 ? low : low - 1;
		return index >= 0 && index < total ? await at(index) : null;
	} finally {
		void backend.call("close_view", { view }).catch(() => undefined);
	}
}
