/** Lists that are read one page at a time (server/utilities/pagination): the pages that were asked for so far. */
import type { Backend } from "../ipc/backend";
import type { OfferRow } from "../ipc/bindings/OfferRow";
import type { PageKind } from "../ipc/bindings/PageKind";
import type { PageRow } from "../ipc/bindings/PageRow";
import type { ToolRow } from "../ipc/bindings/ToolRow";
import { words } from "./errors";
import { at, readJson, text } from "./json/tree";
import { Observable } from "./observable";

/** A list as far as it was read. */
export interface PagedList {
	pages: readonly PageRow[];
	items: readonly OfferRow[];
	loading: boolean;
	/** Why the last page could not be read. */
	failure: string | null;
}

export class ListPages extends Observable {
	private readonly lists = new Map<string, PagedList>();

	constructor(private readonly backend: Backend) {
		super();
	}

	/** The list as far as it was read page by page; null where it is read as a whole. */
	of(session: string, what: PageKind): PagedList | null {
		return this.lists.get(`${what} ${session}`) ?? null;
	}

	/** Begins with the first page. */
	async begin(session: string, what: PageKind): Promise<void> {
		this.put(session, what, EMPTY);
		await this.next(session, what);
	}

	/** Reads the next page, where there is one. */
	async next(session: string, what: PageKind): Promise<void> {
		const list = this.of(session, what);
		const last = list?.pages.at(-1);
		if (!list || list.loading || last?.next === null) return;
		this.put(session, what, { ...list, loading: true, failure: null });
		const read = await this.backend
			.call("list_page", { session, what, cursor: last?.next ?? null })
			.then((page) => ({
				pages: [...list.pages, page],
				items: [...list.items, ...page.items],
				failure: null,
			}))
			.catch((error: unknown) => ({ ...list, failure: words(error) }));
		// It may have been given up meanwhile.
		if (this.of(session, what)) this.put(session, what, { ...read, loading: false });
	}

	/** Goes back to the list as a whole. */
	leave(session: string, what: PageKind): void {
		if (this.lists.delete(`${what} ${session}`)) this.changed();
	}

	private put(session: string, what: PageKind, list: PagedList): void {
		this.lists.set(`${what} ${session}`, list);
		this.changed();
	}
}

const EMPTY: PagedList = { pages: [], items: [], loading: false, failure: null };

/** The characters of a cursor; of one that is no string its JSON text. */
export function cursorText(json: string): string {
	return text(readJson(json)) ?? json;
}

/** A tool of a page, read from the item as received. */
export function toolOf({ name, title, description, problem, raw }: OfferRow): ToolRow {
	const item = readJson(raw);
	const hint = (key: string) => {
		const value = at(item, "annotations", key)?.raw;
		return value === "true" ? true : value === "false" ? false : null;
	};
	return {
		name,
		title,
		description,
		input_schema: at(item, "inputSchema")?.raw ?? null,
		output_schema: at(item, "outputSchema")?.raw ?? null,
		read_only: hint("readOnlyHint"),
		destructive: hint("destructiveHint"),
		idempotent: hint("idempotentHint"),
		open_world: hint("openWorldHint"),
		problem,
		raw,
	};
}
