/** The host as the page sees it. `tauri.ts` is the real one; `fake.ts` plays a golden session. */
import type { AuthChanged } from "./bindings/AuthChanged";
import type { AuthDraft } from "./bindings/AuthDraft";
import type { AuthRow } from "./bindings/AuthRow";
import type { BothErasRow } from "./bindings/BothErasRow";
import type { CatalogRow } from "./bindings/CatalogRow";
import type { CheckRow } from "./bindings/CheckRow";
import type { ClientDraft } from "./bindings/ClientDraft";
import type { ClientRow } from "./bindings/ClientRow";
import type { DoctorChanged } from "./bindings/DoctorChanged";
import type { EditRow } from "./bindings/EditRow";
import type { ExchangeRow } from "./bindings/ExchangeRow";
import type { FrameBody } from "./bindings/FrameBody";
import type { HostFileRow } from "./bindings/HostFileRow";
import type { HostServers } from "./bindings/HostServers";
import type { InputAnswer } from "./bindings/InputAnswer";
import type { InputRow } from "./bindings/InputRow";
import type { InputsChanged } from "./bindings/InputsChanged";
import type { IpcErrorRow } from "./bindings/IpcErrorRow";
import type { ListName } from "./bindings/ListName";
import type { ListsChanged } from "./bindings/ListsChanged";
import type { LogLevelName } from "./bindings/LogLevelName";
import type { OfferKind } from "./bindings/OfferKind";
import type { OffersRow } from "./bindings/OffersRow";
import type { OutcomeRow } from "./bindings/OutcomeRow";
import type { PageKind } from "./bindings/PageKind";
import type { PageRow } from "./bindings/PageRow";
import type { PastedServer } from "./bindings/PastedServer";
import type { PendingChanged } from "./bindings/PendingChanged";
import type { PendingRow } from "./bindings/PendingRow";
import type { PreviewRow } from "./bindings/PreviewRow";
import type { RecordRow } from "./bindings/RecordRow";
import type { RecordsAppended } from "./bindings/RecordsAppended";
import type { RequestDraft } from "./bindings/RequestDraft";
import type { RestartRow } from "./bindings/RestartRow";
import type { Retention } from "./bindings/Retention";
import type { RootRow } from "./bindings/RootRow";
import type { SearchFound } from "./bindings/SearchFound";
import type { SentRow } from "./bindings/SentRow";
import type { ServerDraft } from "./bindings/ServerDraft";
import type { ServerInfoRow } from "./bindings/ServerInfoRow";
import type { ServerRow } from "./bindings/ServerRow";
import type { SessionListRow } from "./bindings/SessionListRow";
import type { SessionRow } from "./bindings/SessionRow";
import type { SignInChanged } from "./bindings/SignInChanged";
import type { SignInRow } from "./bindings/SignInRow";
import type { SignInStepKind } from "./bindings/SignInStepKind";
import type { StatelessRow } from "./bindings/StatelessRow";
import type { StatsRow } from "./bindings/StatsRow";
import type { SubscriptionRow } from "./bindings/SubscriptionRow";
import type { SubscriptionsChanged } from "./bindings/SubscriptionsChanged";
import type { ViewRow } from "./bindings/ViewRow";
import type {
	AppLog,
	AppLogLevel,
	ExportOptions,
	ExportPreview,
	ImportOutcome,
	RedactRules,
	SecretStoreRow,
} from "./secrets";

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
	/** Throws `invalid_config` where the command line cannot be split, or the URL is none. Secrets go to the keychain here. */
	save_server: { args: { draft: ServerDraft }; answer: ServerRow };
	delete_server: { args: { server: string }; answer: null };
	/** A copy under a free name, its secrets included; never connected by itself. */
	duplicate_server: { args: { server: string }; answer: ServerRow };
	/** The user has seen the whole command of an unconfirmed server and wants it started. */
	confirm_server: { args: { server: string }; answer: ServerRow };
	/** The value of a secret variable or header, to show it in its field. */
	reveal_secret: { args: { server: string; part: "env" | "header"; name: string }; answer: string };
	/** What credentials a server gets, and its last sign-in. */
	auth_status: { args: { server: string }; answer: AuthRow };
	/** Saves how to sign in; it holds from the next sign-in on. */
	set_auth: { args: { server: string; draft: AuthDraft }; answer: AuthRow };
	/** Begins a sign-in in the place of one that runs: `sign-in-changed` tells how it comes along. With `by_step` nothing runs
	 * by itself. */
	sign_in: { args: { server: string; session: string | null; by_step: boolean }; answer: SignInRow };
	/** Runs the next step. Each of these throws `not_found` where another sign-in took the place of this one. */
	sign_in_step: { args: { id: number }; answer: SignInRow };
	/** Runs on until it waits, fails or is done. */
	sign_in_run: { args: { id: number }; answer: SignInRow };
	/** Sets a value of a step, or has it as usual again with null; it and all after it are to be run again. */
	sign_in_set_value: {
		args: { id: number; step: SignInStepKind; name: string; value: string | null };
		answer: SignInRow;
	};
	/** That step and all after it are to be run again; nothing runs. */
	sign_in_restart_from: { args: { id: number; step: SignInStepKind }; answer: SignInRow };
	/** Answers what a step asks. */
	sign_in_consent: { args: { id: number; agree: boolean }; answer: SignInRow };
	/** The address that the browser was sent back to, where it is on another machine. */
	sign_in_finish: { args: { id: number; url: string }; answer: SignInRow };
	cancel_sign_in: { args: { id: number }; answer: SignInRow };
	/** Renews the token now. Throws `auth_required` where it is not renewed. */
	refresh_token: { args: { server: string }; answer: AuthRow };
	/** Revokes the token where its issuer can, and forgets it. Throws where it was not revoked; it is forgotten all the same. */
	sign_out: { args: { server: string }; answer: AuthRow };
	secret_store: { args: Record<string, never>; answer: SecretStoreRow };
	/** Moves the secrets of memory into a file that a passphrase opens, or deletes that file. */
	choose_secret_store: {
		args: { kind: "file" | "memory"; passphrase: string | null };
		answer: SecretStoreRow;
	};
	/** Opens the file for as long as this app runs. Throws `wrong_passphrase`. */
	unlock_secrets: { args: { passphrase: string }; answer: SecretStoreRow };
	/** Servers in the JSON of an `mcpServers` file (also `servers`, one server alone, comments and trailing commas).
	 * Throws `invalid_config` where it is none. */
	read_mcp_servers: { args: { text: string }; answer: PastedServer[] };
	/** The files of other MCP hosts that are on this machine. */
	list_host_files: { args: Record<string, never>; answer: HostFileRow[] };
	/** The servers of such a file, or of one that the user chooses where `host` is null (then null: cancelled). Nothing is
	 * added. Throws `invalid_config` where it holds none. */
	read_host_file: { args: { host: string | null }; answer: HostServers | null };
	/** A server in the shape of an `mcpServers` file; secrets as references. */
	copy_mcp_servers: { args: { servers: string[] }; answer: string };
	/** Splits a command line as `save_server` will: the argv chips. Throws `invalid_config`. */
	split_command_line: { args: { text: string }; answer: string[] };
	/** Connects to a server as typed, step by step, and ends the connection again. The answer is its number for
	 * `doctor-changed`. A new one ends the last one. Throws `invalid_config`, and `needs_consent` for an unconfirmed server. */
	start_doctor: { args: { draft: ServerDraft }; answer: number };
	stop_doctor: { args: { run: number }; answer: null };
	/** Starts a new session; returns at once, the rest is told by `session-changed`. */
	open_session: { args: { server: string }; answer: SessionRow };
	close_session: { args: { session: string }; answer: null };
	/** Newest first. `query` is of the filter language, over what lists know of sessions; its text is looked for in names.
	 * `pid` and `exit` are told of the first 50 rows; `get_session` tells them of any. */
	list_sessions: { args: { query: string; limit: number }; answer: SessionListRow };
	get_session: { args: { session: string }; answer: SessionRow };
	/** An empty name takes it away. */
	rename_session: { args: { session: string; name: string }; answer: SessionRow };
	tag_session: { args: { session: string; tags: string[] }; answer: SessionRow };
	pin_session: { args: { session: string; pinned: boolean }; answer: SessionRow };
	/** Moves ended sessions to the trash, where they stay for 7 days. Throws for one that lives. */
	delete_sessions: { args: { sessions: string[] }; answer: null };
	/** Takes them back out of the trash. */
	restore_sessions: { args: { sessions: string[] }; answer: null };
	/** Asks for a place with the system's dialog and writes the JSONL capture there, encrypted where there is a passphrase. The
	 * path, or null where the user cancelled. Throws `invalid_config` for a rule that cannot be read. */
	export_session: { args: { session: string; options: ExportOptions }; answer: string | null };
	/** What the rules would change in the export of a session. */
	preview_export: { args: { session: string; rules: RedactRules }; answer: ExportPreview };
	/** The rules to begin with. */
	default_redact_rules: { args: Record<string, never>; answer: RedactRules };
	/** Asks for files with the system's dialog. The new sessions, and the files that need a passphrase; nothing where the user
	 * cancelled. */
	import_sessions: { args: Record<string, never>; answer: ImportOutcome };
	/** Throws `wrong_passphrase`; the file can then be tried again. */
	import_locked: { args: { id: number; passphrase: string }; answer: SessionRow };
	/** A file that needs a passphrase is not asked for any more. */
	forget_locked: { args: { id: number }; answer: null };
	/** Looks for text in all records of all sessions, newest session first; `query` may hold any term of the filter language.
	 * The answer is its number for `search-found`. A new search ends the last one. Throws where `query` cannot be read. */
	start_search: { args: { query: string }; answer: number };
	stop_search: { args: { search: number }; answer: null };
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
	/** Sends bytes as typed, also what is no message; headers over HTTP only. Its id is empty where it has none. */
	send_raw: {
		args: { session: string; text: string; headers: [string, string][] };
		answer: SentRow;
	};
	/** A frame from the client, to be edited and sent again. */
	edit_record: { args: { session: string; seq: number }; answer: EditRow };
	/** The requests that wait now, as `pending-changed` tells them. */
	list_pending: { args: { session: string }; answer: PendingRow[] };
	/** Checks JSON text against the text of a JSON Schema; bounded in time. Never throws for what is in them. */
	check_json: { args: { schema: string; value: string }; answer: CheckRow };
	/** Answers when the request is settled: answered, timed out, cancelled, or the connection ended. Of one that was sent again
	 * (with another token, after a page was visited) it tells of the last. */
	await_outcome: { args: { session: string; seq: number }; answer: OutcomeRow };
	/** What became of one request, as far as the log tells by now, whatever was sent after it. */
	get_outcome: { args: { session: string; seq: number }; answer: OutcomeRow };
	cancel_request: { args: { session: string; seq: number }; answer: null };
	extend_request: { args: { session: string; seq: number; ms: number }; answer: null };
	/** The tools; asks the server where they are not known yet or `refresh` is set. */
	list_catalog: { args: { session: string; refresh: boolean }; answer: CatalogRow };
	/** Resources, resource templates or prompts; asks the server. Throws `session_closed` where it is not connected. */
	list_offers: { args: { session: string; what: OfferKind }; answer: OffersRow };
	/** What is good to know of a session that restarts another one; null where it restarts none that is still kept. A list
	 * that only the other one has read is asked for. */
	get_restart: { args: { session: string }; answer: RestartRow | null };
	/** How the server introduced itself last, read from the log; null where it never did. */
	get_server_info: { args: { session: string }; answer: ServerInfoRow | null };
	/** What the server asks now, as `inputs-changed` tells it. */
	list_inputs: { args: { session: string }; answer: InputRow[] };
	/** Throws `invalid_config` where the result is no JSON, `not_found` where the server no longer waits. */
	answer_input: {
		args: { session: string; seq: number; key: string | null; answer: InputAnswer };
		answer: null;
	};
	get_roots: { args: { server: string }; answer: RootRow[] };
	/** Kept with the server; one that is connected and legacy is told that they changed. */
	set_roots: { args: { server: string; roots: RootRow[] }; answer: null };
	/** One page of a list; `cursor` is the `next` of the page before, null for the first. */
	list_page: { args: { session: string; what: PageKind; cursor: string | null }; answer: PageRow };
	/** What the session has subscribed to, as `subscriptions-changed` tells it. */
	list_subscriptions: { args: { session: string }; answer: SubscriptionRow[] };
	/** Legacy: one `resources/subscribe` for each URI, `lists` are told unasked. Modern: one `subscriptions/listen`. The rows
	 * that it made. */
	subscribe: { args: { session: string; uris: string[]; lists: ListName[] }; answer: SubscriptionRow[] };
	/** `seq` names the subscription. */
	unsubscribe: { args: { session: string; seq: number }; answer: null };
	/** The level of log messages that was asked for in this session, or null. */
	get_log_level: { args: { session: string }; answer: LogLevelName | null };
	/** Legacy: sends `logging/setLevel` and answers its record; null throws. Modern: goes with every request from now on;
	 * null: with none. */
	set_log_level: { args: { session: string; level: LogLevelName | null }; answer: number | null };
	/** How the client shows itself to a server, and its rules. */
	get_client: { args: { server: string }; answer: ClientRow };
	/** Rules hold at once, the rest from the next connection on. Throws `invalid_config` where a text is no JSON object. */
	set_client: { args: { server: string; draft: ClientDraft }; answer: null };
	/** Sends a request in this session and in one of the other era, which is opened where none is live and stays open. Then
	 * `await_outcome` on each side. */
	call_both_eras: { args: { session: string; draft: RequestDraft }; answer: BothErasRow };
	/** Modern only: sends each request over the open connection, and alone over a fresh connection or process. */
	check_stateless: { args: { session: string; drafts: RequestDraft[] }; answer: StatelessRow[] };
	get_retention: { args: Record<string, never>; answer: Retention };
	/** Applied at once, and every hour. */
	set_retention: { args: { retention: Retention }; answer: null };
	get_stats: { args: Record<string, never>; answer: StatsRow };
	/** Shows the data folder in the system's file manager. */
	open_data_folder: { args: Record<string, never>; answer: null };
	/** Opens a page in the system's browser: https, and http of this machine; throws `invalid_config` for any other. */
	open_url: { args: { url: string }; answer: null };
	/** Asks for a place with the system's dialog and writes bytes there. The path, or null where the user cancelled. */
	save_bytes: { args: { name: string; base64: string }; answer: string | null };
	/** Asks for a place with the system's dialog and writes a record there, to the byte. The path, or null where the user cancelled. */
	save_frame: { args: { session: string; seq: number }; answer: string | null };
	/** The newest lines that this app wrote about itself. */
	app_log: { args: Record<string, never>; answer: AppLog };
	/** Holds at once, and for later runs. */
	set_app_log_level: { args: { level: AppLogLevel }; answer: null };
	/** Shows its folder in the system's file manager. */
	open_log_folder: { args: Record<string, never>; answer: null };
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
	/** Sessions were deleted, restored or imported, also by another process: read the list again. */
	"sessions-changed": null;
	"pending-changed": PendingChanged;
	"inputs-changed": InputsChanged;
	"subscriptions-changed": SubscriptionsChanged;
	/** A list of a session was read again, since the server said that it has changed. */
	"lists-changed": ListsChanged;
	"search-found": SearchFound;
	/** The report as it stands; the last one is no more `running`. */
	"doctor-changed": DoctorChanged;
	"sign-in-changed": SignInChanged;
	/** A token of some server came, was renewed or is gone: read `auth_status`. */
	"auth-changed": AuthChanged;
	/** This app wrote lines about itself: read `app_log`. */
	"app-log-changed": null;
	stats: StatsRow;
}

/** The host. */
export interface Backend {
	/** Calls a command; throws an {@link IpcError}. */
	call<K extends keyof Commands>(name: K, args: Commands[K]["args"]): Promise<Commands[K]["answer"]>;
	/** Listens to an event; the answer ends it. */
	listen<K extends keyof Events>(name: K, on: (payload: Events[K]) => void): Promise<() => void>;
}
