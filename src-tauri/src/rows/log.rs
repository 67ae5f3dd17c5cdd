//! Records of a session and what a frame holds.

use serde::Serialize;
use ts_rs::TS;

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
    /// Of a response: microseconds that the request waited for its connection to be made (name look-up, TCP, TLS); 0 where it
    /// went over one that was there, missing where that is not known.
    pub connect_us: Option<u64>,
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
    /// The last of the new rows, up to `total`: all of them, or of many their end, or none. The rest is to be pulled with
    /// `view_rows`.
    pub rows: Vec<RecordRow>,
    /// Earlier rows that changed, as they are now.
    pub changed: Vec<RecordRow>,
    /// Rows left or entered among the earlier ones: read everything again.
    pub reset: bool,
}
