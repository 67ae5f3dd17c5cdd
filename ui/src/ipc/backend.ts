/** The host as the page sees it. `tauri.ts` is the real one; `fake.ts` plays a golden session. */
import type { CatalogRow } from "./bindings/CatalogRow";
import type { ExchangeRow } from "./bindings/ExchangeRow";
import type { FrameBody } from "./bindings/FrameBody";
import type { IpcErrorRow } from "./bindings/IpcErrorRow";
import type { OutcomeRow } from "./bindings/OutcomeRow";
import type { PreviewRow } from "./bindings/PreviewRow";
import type { RecordRow } from "./bindings/RecordRow";
import type { RecordsAppended } from "./bindings/RecordsAppended";
import type { RequestDraft } from "./bindings/RequestDraft";
import type { SentRow } from "./bindings/SentRow";
import type { ServerDraft } from "./bindings/ServerDraft";
import type { ServerRow } from "./bindings/ServerRow";
import type { SessionRow } from "./bindings/SessionRow";
import type { ViewRow } from "./bindings/ViewRow";

/** What a command throws. */
export type IpcError = IpcErrorRow;

/** Facts that do not change while the app runs. */
export interface AppInfo {
	/** The app's version. */
	version: string;
	/** The data folder. */
	dataDir: string;
}

/** Every command of the host, by its name there in snake case, with its arguments and answer. */
export interface Commands {
	app_info: { args: Record<string, never>; answer: AppInfo };
	list_servers: { args: Record<string, never>; answer: ServerRow[] };
	/** Throws `invalid_config` where the command line cannot be split, or the URL is none. */
	save_server: { args: { draft: ServerDraft }; answer: ServerRow };
	delete_server: { args: { server: string }; answer: null };
	/** Splits a command line as `save_server` will: the argv chips. Throws `invalid_config`. */
	split_command_line: { args: { text: string }; answer: string[] };
	/** Starts a new session; returns at once, the rest is told by `session-changed`. */
	open_session: { args: { server: string }; answer: SessionRow };
	close_session: { args: { session: string }; answer: null };
	/** Newest first. */
	list_sessions: { args: { limit: number }; answer: SessionRow[] };
	get_session: { args: { session: string }; answer: SessionRow };
	/** Works for any session: live, past, or another process's. */
	open_view: { args: { session: string; filter: string }; answer: ViewRow };
	view_rows: { args: { view: number; from: number; n: number }; answer: RecordRow[] };
	/** Index of a record in the view, or null where the filter hides it. */
	view_index: { args: { view: number; seq: number }; answer: number | null };
	close_view: { args: { view: number }; answer: null };
	/** The page has taken in everything up to `total`; the next event may come. */
	ack: { args: { view: number; total: number }; answer: null };
	get_record: { args: { session: string; seq: number }; answer: RecordRow };
	get_frame: { args: { session: string; seq: number }; answer: FrameBody };
	/** The HTTP exchange that a record is part of, or null where none was involved. */
	get_exchange: { args: { session: string; seq: number }; answer: ExchangeRow | null };
	/** Raw bytes. */
	frame_range: {
		args: { session: string; seq: number; from: number; len: number };
		answer: ArrayBuffer;
	};
	preview_request: { args: { session: string; draft: RequestDraft }; answer: PreviewRow };
	/** Returns as soon as it is logged. */
	send_request: { args: { session: string; draft: RequestDraft }; answer: SentRow };
	/** Answers when the request is settled: answered, timed out, cancelled, or the connection ended. */
	await_outcome: { args: { session: string; seq: number }; answer: OutcomeRow };
	cancel_request: { args: { session: string; seq: number }; answer: null };
	extend_request: { args: { session: string; seq: number; ms: number }; answer: null };
	/** The tools; asks the server where they are not known yet or `refresh` is set. */
	list_catalog: { args: { session: string; refresh: boolean }; answer: CatalogRow };
	/** A UI preference (tauri-plugin-store), or null. */
	get_setting: { args: { key: string }; answer: unknown };
	set_setting: { args: { key: string; value: unknown }; answer: null };
}

/** Every event of the host with its payload. All are hints over the log. */
export interface Events {
	"records-appended": RecordsAppended;
	"session-changed": SessionRow;
	/** A server was saved or deleted, also by another process. */
	"servers-changed": null;
}

/** The host. */
export interface Backend {
	/** Calls a command; throws an {@link IpcError}. */
	call<K extends keyof Commands>(name: K, args: Commands[K]["args"]): Promise<Commands[K]["answer"]>;
	/** Listens to an event; the answer ends it. */
	listen<K extends keyof Events>(name: K, on: (payload: Events[K]) => void): Promise<() => void>;
}
