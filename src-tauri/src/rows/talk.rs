//! Requests, their answers, and what a server lists.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{RecordRow, Verdict};

/// What is to be sent.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export)]
pub struct RequestDraft {
    /// The method.
    pub method: String,
    /// The params' JSON text as typed; sent to the byte.
    pub params: Option<String>,
    /// Milliseconds to wait for an answer; the server's own time-out where missing.
    pub timeout_ms: Option<u64>,
    /// Further headers; over HTTP only. One of ours is replaced by one of the same name.
    pub headers: Vec<(String, String)>,
}

/// The exact frame that would be sent.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct PreviewRow {
    /// The frame, secrets masked.
    pub text: String,
    /// Its size in bytes without the line feed.
    pub size: u64,
    /// The headers that would go with it, those of credentials masked; over stdio none.
    pub headers: Vec<(String, String)>,
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

/// A request of this app that waits for its answer.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct PendingRow {
    /// Its record.
    pub seq: u64,
    /// Its id as written.
    pub id: String,
    /// Its method.
    pub method: String,
    /// For a tool call the tool, for a resource its URI, for a prompt its name.
    pub what: Option<String>,
    /// When it was sent, microseconds since the epoch.
    pub sent_us: i64,
    /// When it times out unless progress or the user puts that off, microseconds since the epoch; missing where it waits for ever
    /// (a raw frame).
    pub deadline_us: Option<i64>,
    /// The newest progress notification, if one came.
    pub progress: Option<ProgressRow>,
}

/// `notifications/progress` of a request.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export)]
pub struct ProgressRow {
    /// How far it is.
    pub progress: f64,
    /// How far it goes.
    pub total: Option<f64>,
    /// In the server's words.
    pub message: Option<String>,
    /// When it came, microseconds since the epoch.
    pub at_us: i64,
    /// How many came.
    pub count: u64,
}

/// Event `pending-changed`: the requests of a session that wait now, oldest first; at most ten a second.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct PendingChanged {
    /// The session.
    pub session: String,
    /// All that wait.
    pub pending: Vec<PendingRow>,
}

/// A frame that the client sent, taken apart to be edited and sent again.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct EditRow {
    /// The frame's text; invalid UTF-8 replaced.
    pub text: String,
    /// Headers it went with beyond ours; over HTTP only.
    pub headers: Vec<(String, String)>,
    /// A call of a tool: its name.
    pub tool: Option<String>,
    /// A call of a tool: the text of its arguments, to the byte.
    pub arguments: Option<String>,
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

/// What our own check against a JSON Schema says. It never blocks and never speaks for the server.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct CheckRow {
    /// What fails, in the order of the text; at most 100.
    pub problems: Vec<CheckProblem>,
    /// Why all or part of it was not checked: a dialect or pattern we do not know, numbers beyond 64 bits, no JSON.
    pub unchecked: Option<String>,
}

/// A place that fails the check.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct CheckProblem {
    /// JSON pointer to the value; empty for the whole. A missing property points to its object.
    pub path: String,
    /// The missing property, for `required`.
    pub missing: Option<String>,
    /// The keyword that fails: `maximum`.
    pub keyword: String,
    /// In words, without the party: `above maximum 99`, `integer expected, got string`.
    pub message: String,
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
    /// Its output schema as received, JSON text.
    pub output_schema: Option<String>,
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

/// Event `lists-changed`: a list of a session was read again, since the server said that it has changed.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ListsChanged {
    /// The session.
    pub session: String,
}

/// The tools of a session.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct CatalogRow {
    /// The tools, in the server's order.
    pub tools: Vec<ToolRow>,
    /// What was wrong with the list.
    pub problems: Vec<String>,
    /// It is that of an earlier session of the server: this one has none yet.
    pub stale: bool,
    /// How long the server lets it be shown without asking again, milliseconds (`ttlMs`); missing where it does not tell.
    pub ttl_ms: Option<u64>,
    /// Who may share it, in the server's word (`cacheScope`).
    pub cache_scope: Option<String>,
}
