//! What crosses the bridge to the page. Outgoing types are only `Serialize`, incoming ones only `Deserialize`.
//!
//! Sequence numbers and microseconds are below 2^53, so they are JavaScript numbers; JSON from the wire crosses as text.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where a server's connection stands.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(tag = "state", rename_all = "kebab-case")]
#[ts(export)]
pub enum ConnState {
    /// Never connected since this app started.
    Idle,
    /// The handshake runs.
    Connecting {
        /// What is being done, in words.
        step: String,
    },
    /// Usable.
    Connected {
        /// Since when, microseconds since the epoch.
        since_us: i64,
    },
    /// The handshake or the transport failed.
    Failed {
        /// For what the page does differently.
        code: ErrorCode,
        /// Names the party at fault and the next step.
        message: String,
        /// HTTP status, where the server answered with one.
        status: Option<u16>,
    },
    /// It ended.
    Closed {
        /// In two words for the rail: `exit 3`, `SIGKILL`, `closed`.
        outcome: String,
        /// The process ended by itself with a code other than 0, or by a signal.
        crashed: bool,
        /// When, microseconds since the epoch.
        at_us: i64,
    },
    /// The log cannot be written; the connection was closed.
    NotRecording {
        /// The first record that is missing.
        since: u64,
        /// The store's words.
        why: String,
    },
}

/// Errors that the page acts on. A code exists only if the page does something different for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ErrorCode {
    /// What was typed cannot be used.
    InvalidConfig,
    /// The process could not be started.
    SpawnFailed,
    /// The server could not be reached.
    ConnectFailed,
    /// The server wants a sign-in.
    AuthRequired,
    /// The server was reached and the handshake failed.
    HandshakeFailed,
    /// The session is not connected.
    SessionClosed,
    /// No answer in time.
    Timeout,
    /// The user cancelled.
    Cancelled,
    /// There is no such thing.
    NotFound,
    /// The data folder cannot be used.
    HistoryUnavailable,
    /// This app failed.
    Internal,
}

/// Transport of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum TransportName {
    /// Child process.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// HTTP+SSE of 2024-11-05.
    Sse,
}

/// A server in the rail.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ServerRow {
    /// Its id in the catalogue.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How it is reached.
    pub transport: TransportName,
    /// Command line or URL.
    pub target: String,
    /// Headers sent with every HTTP request: references, not the values of secrets.
    pub headers: Vec<(String, String)>,
    /// The built-in demo server.
    pub demo: bool,
    /// Its newest session, live or not.
    pub session: Option<SessionRow>,
}

/// A server as typed.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export)]
pub struct ServerDraft {
    /// The server to change; a new one where missing.
    #[ts(optional)]
    pub id: Option<String>,
    /// Its name; made from the command or the URL where empty.
    pub name: String,
    /// How it is reached.
    pub target: TargetDraft,
}

/// How a server is reached, as typed. Values may hold references such as `${NAME}`.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(tag = "transport", rename_all = "kebab-case")]
#[ts(export)]
pub enum TargetDraft {
    /// A child process.
    Stdio {
        /// The command line, split as a shell splits words; nothing is expanded.
        command_line: String,
    },
    /// Streamable HTTP.
    Http {
        /// The MCP endpoint.
        url: String,
        /// Names and values; rows without both are left out.
        headers: Vec<(String, String)>,
    },
}

/// A recorded conversation.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct SessionRow {
    /// Its id.
    pub id: String,
    /// The server in the catalogue, if it is still there.
    pub server_id: Option<String>,
    /// The server's name at the time.
    pub server_name: String,
    /// Number among the server's sessions, from 1.
    pub number: u32,
    /// A name given by the user.
    pub name: Option<String>,
    /// `app`, `cli` or `import`.
    pub origin: String,
    /// Command line or URL.
    pub target: String,
    /// How it was reached.
    pub transport: TransportName,
    /// Microseconds since the epoch.
    pub started_us: i64,
    /// Microseconds since the epoch; missing while it lives.
    pub ended_us: Option<i64>,
    /// Records in the log.
    pub records: u64,
    /// Bytes of all bodies.
    pub bytes: u64,
    /// `legacy` or `modern`, once negotiated.
    pub era: Option<String>,
    /// The negotiated revision.
    pub revision: Option<String>,
    /// Name and version that the server gave itself.
    pub peer: Option<String>,
    /// Process id of the newest process.
    pub pid: Option<u32>,
    /// Another process (the command line tool, say) owns it and it lives there.
    pub elsewhere: bool,
    /// Where the connection stands. For a session of another process: connected or closed.
    pub conn: ConnState,
    /// How it ended, for the card at the tail of the timeline.
    pub exit: Option<ExitRow>,
}

/// Facts of the end of a session, for the card at the tail of the timeline.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ExitRow {
    /// The `closed` record.
    pub seq: u64,
    /// Fact first: `The server exited with code 3`.
    pub title: String,
    /// How long it ran and who ended it.
    pub detail: String,
    /// It ended by itself with a code other than 0, or by a signal.
    pub crashed: bool,
    /// Last lines of stderr, oldest first, at most 5.
    pub stderr: Vec<String>,
    /// Lines of stderr in all.
    pub stderr_total: u64,
    /// Requests that were never answered.
    pub unanswered: Vec<UnansweredRow>,
    /// The file that was started.
    pub executable: Option<String>,
    /// The command and its arguments.
    pub argv: Vec<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// The `PATH` in which the executable was looked up.
    pub path: Option<String>,
    /// Where that `PATH` came from, in words.
    pub path_source: Option<String>,
}

/// A request without an answer.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct UnansweredRow {
    /// Its record.
    pub seq: u64,
    /// Its id as written.
    pub id: String,
    /// Its method, and for a tool call the tool.
    pub what: String,
    /// How long it had waited.
    pub waited_us: i64,
}

/// What became of a request, or what a response says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum Verdict {
    /// A result.
    Ok,
    /// A JSON-RPC error.
    Error,
    /// A tool result with `isError: true`.
    IsError,
    /// No answer in time.
    Timeout,
    /// Cancelled by the user.
    Cancelled,
    /// The connection ended first.
    Unanswered,
    /// No answer yet.
    Pending,
}

/// A row of the timeline.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RecordRow {
    /// Its number in the session, from 1.
    pub seq: u64,
    /// Microseconds since the epoch.
    pub at_us: i64,
    /// Gap to the row above in the log (not in the view), microseconds.
    pub gap_us: Option<i64>,
    /// Number of the process or wire.
    pub conn: u32,
    /// The word of the Kind column and of `kind:` in the filter language:
    /// `request result error notification batch malformed stderr http note lifecycle`.
    pub kind: String,
    /// `c2s` or `s2c`; missing where nothing crossed the wire.
    pub direction: Option<String>,
    /// Of a request or notification; a response carries its request's.
    pub method: Option<String>,
    /// What the Summary column says, at most 160 characters.
    pub summary: String,
    /// JSON-RPC id as written.
    pub id: Option<String>,
    /// Responses: the request.
    pub reply_to: Option<u64>,
    /// Requests: the response.
    pub answer: Option<u64>,
    /// Time from request to response, on both rows, microseconds.
    pub dur_us: Option<i64>,
    /// Requests and responses.
    pub verdict: Option<Verdict>,
    /// HTTP status, JSON-RPC error code or exit code.
    pub code: Option<i64>,
    /// Size of the body in bytes.
    pub size: u64,
    /// The record that this one is about.
    pub about: Option<u64>,
    /// The exchange that carried it.
    pub via: Option<u64>,
    /// Marks: `late duplicate orphan noise redacted unterminated truncated crash over-limit`.
    pub flags: Vec<String>,
    /// The whole body, where it is UTF-8, at most 2 KiB, and no block of an event stream.
    pub whole: Option<String>,
}

/// The body of a record.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct FrameBody {
    /// Its record.
    pub seq: u64,
    /// Its size in bytes.
    pub size: u64,
    /// The first 256 KiB as text; invalid UTF-8 replaced.
    pub text: String,
    /// Whether `text` is all of it.
    pub complete: bool,
    /// Whether it is valid UTF-8.
    pub utf8: bool,
    /// The message in it, where it is a block of an event stream and all of it is here.
    pub message: Option<String>,
}

/// The HTTP exchange that a record is part of, as far as it has come.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ExchangeRow {
    /// The frame that it carried to the server; missing where there was none (GET, DELETE).
    pub frame: Option<u64>,
    /// What was asked.
    pub request: Option<HttpRow>,
    /// Status and headers of the answer.
    pub response: Option<HttpRow>,
    /// Its end.
    pub end: Option<HttpRow>,
}

/// A part of an HTTP exchange.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct HttpRow {
    /// Its record.
    pub seq: u64,
    /// Microseconds since the epoch.
    pub at_us: i64,
    /// Of a request.
    pub method: Option<String>,
    /// Of a request; without a password.
    pub url: Option<String>,
    /// Of a response.
    pub status: Option<u16>,
    /// Names and values, those of credentials masked. Order and letter case are not the wire's.
    pub headers: Vec<(String, String)>,
    /// The version of HTTP, or why the exchange ended.
    pub text: Option<String>,
}

/// What goes wrong in a filter, with its place.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct FilterProblem {
    /// First character of the term that cannot be used, counted in UTF-16 units.
    pub from: u32,
    /// One past its last.
    pub to: u32,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// A filter over a session, kept up to date by the backend.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ViewRow {
    /// Its number, for `view_rows` and `records-appended`.
    pub view: u32,
    /// Rows that match.
    pub total: u64,
    /// Records in the log.
    pub log_total: u64,
    /// The filter could not be read; the view shows everything.
    pub problem: Option<FilterProblem>,
}

/// Event `records-appended`: a hint over the log. Losing one costs a re-read, not data.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RecordsAppended {
    /// The view.
    pub view: u32,
    /// Rows that match now.
    pub total: u64,
    /// Records in the log now.
    pub log_total: u64,
    /// Index in the view of the first new row.
    pub first: u64,
    /// The new rows, at most 500, or none: then they are to be pulled with `view_rows`.
    pub rows: Vec<RecordRow>,
    /// Earlier rows that changed, as they are now.
    pub changed: Vec<RecordRow>,
    /// Rows left or entered among the earlier ones: read everything again.
    pub reset: bool,
}

/// What is to be sent.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export)]
pub struct RequestDraft {
    /// The method.
    pub method: String,
    /// The params' JSON text as typed; sent to the byte.
    pub params: Option<String>,
    /// Milliseconds to wait for an answer; 30 000 where missing.
    pub timeout_ms: Option<u64>,
}

/// The exact frame that would be sent.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct PreviewRow {
    /// The frame, secrets masked.
    pub text: String,
    /// Its size in bytes without the line feed.
    pub size: u64,
    /// The id that it would have.
    pub id: String,
    /// What our check says: not JSON, not an object. Sending is possible all the same.
    pub problem: Option<String>,
}

/// A request that is on its way.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct SentRow {
    /// Its record.
    pub seq: u64,
    /// Its id as written.
    pub id: String,
}

/// What became of a request, read from the log.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct OutcomeRow {
    /// The request.
    pub request: RecordRow,
    /// The response, if one came (also a late one).
    pub answer: Option<RecordRow>,
    /// What became of it.
    pub verdict: Verdict,
    /// In words, party first, where there is no answer.
    pub message: Option<String>,
}

/// A tool as the server lists it.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ToolRow {
    /// Its name; a placeholder where the item is broken.
    pub name: String,
    /// Its title.
    pub title: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its input schema as received, JSON text.
    pub input_schema: Option<String>,
    /// Written annotations only.
    pub read_only: Option<bool>,
    /// Written annotations only.
    pub destructive: Option<bool>,
    /// Written annotations only.
    pub idempotent: Option<bool>,
    /// Written annotations only.
    pub open_world: Option<bool>,
    /// What is wrong with this item.
    pub problem: Option<String>,
    /// The item as received, JSON text.
    pub raw: String,
}

/// The tools of a session.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct CatalogRow {
    /// The tools, in the server's order.
    pub tools: Vec<ToolRow>,
    /// What was wrong with the list.
    pub problems: Vec<String>,
}

/// An error of a command.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct IpcErrorRow {
    /// For what the page does differently.
    pub code: ErrorCode,
    /// Names the party at fault and the next step.
    pub message: String,
}
