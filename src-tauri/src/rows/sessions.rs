//! Sessions, their ends, and searches over them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{ErrorCode, FilterProblem, PageKind, TransportName};

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

/// How the files of a session's server are watched.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct WatchRow {
    /// How many of the paths are watched.
    pub paths: usize,
    /// Why others are not, or none is any more.
    pub problem: Option<String>,
}

/// What is good to know of a session that restarts another one.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RestartRow {
    /// The other one.
    pub previous: String,
    /// Its number among the server's sessions.
    pub number: u32,
    /// Why this app restarted the server by itself; missing where the user did.
    pub why: Option<String>,
    /// The last call in the other one.
    pub call: Option<LastCall>,
    /// The lists that are others now, of those that the other one has read.
    pub lists: Vec<ListChange>,
}

/// A call that can be made again.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct LastCall {
    /// Its record.
    pub seq: u64,
    /// Its method.
    pub method: String,
    /// The tool, the prompt or the URI.
    pub about: Option<String>,
    /// Its params, to the byte as typed.
    pub params: Option<String>,
    /// Secrets in it were masked when it was logged: it cannot be sent as it is.
    pub masked: bool,
}

/// What changed in a list.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ListChange {
    /// Which list.
    pub what: PageKind,
    /// Names of the items that came.
    pub added: Vec<String>,
    /// Names of the items that went.
    pub removed: Vec<String>,
    /// Items that are others now.
    pub changed: Vec<ChangedItem>,
}

/// An item of a list that is another one now.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ChangedItem {
    /// Its name.
    pub name: String,
    /// The members in which it differs: `description`, `inputSchema`.
    pub parts: Vec<String>,
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
    /// Frames among them.
    pub frames: u64,
    /// JSON-RPC errors, results with `isError`, malformed frames, time-outs and crashes.
    pub errors: u64,
    /// Tags given by the user.
    pub tags: Vec<String>,
    /// Kept whatever the retention says.
    pub pinned: bool,
    /// The session that it restarts.
    pub previous: Option<String>,
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
    /// How the files of its server are watched; missing where they are not.
    pub watch: Option<WatchRow>,
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

/// Sessions that match a query.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct SessionListRow {
    /// Newest first, at most as many as asked for.
    pub rows: Vec<SessionRow>,
    /// How many match.
    pub matching: u64,
    /// How many are kept.
    pub kept: u64,
    /// Bytes of all their files on disk.
    pub disk_bytes: u64,
    /// The query could not be read; then all sessions match.
    pub problem: Option<FilterProblem>,
}

/// Event `search-found`: what a search over all sessions has found since the last one.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct SearchFound {
    /// The search.
    pub search: u32,
    /// New hits: of one session at a time, in its order; newest session first.
    pub hits: Vec<HitRow>,
    /// Sessions looked through so far.
    pub sessions: u64,
    /// Records looked through so far.
    pub records: u64,
    /// Sessions in all.
    pub of_sessions: u64,
    /// It has ended.
    pub done: bool,
    /// It ended at the limit of 2 000 hits; there may be more.
    pub limited: bool,
    /// Sessions that could not be read, and why.
    pub problems: Vec<String>,
}

/// A record that a search found.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct HitRow {
    /// Its session.
    pub session: String,
    /// Its number.
    pub seq: u64,
    /// Microseconds since the epoch.
    pub at_us: i64,
    /// The word of the Kind column.
    pub kind: String,
    /// `c2s` or `s2c`.
    pub direction: Option<String>,
    /// Text around the first place that matches, at most 200 characters.
    pub text: String,
    /// Places in `text` that match: from and to, counted in UTF-16 units.
    pub marks: Vec<(u32, u32)>,
}

/// Event `stats`, once a second where it changed: what the status bar says.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export)]
pub struct StatsRow {
    /// Sessions that this app records now.
    pub recording: u32,
    /// Records a second over the last second, all sessions of this app.
    pub per_second: u64,
    /// Bytes of the catalogue and all session files on disk.
    pub disk_bytes: u64,
    /// 99th percentile of the time from a frame's reading to its commit over the last minute, microseconds.
    pub commit_p99_us: Option<i64>,
}

/// What is deleted by itself; pinned sessions never are.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Retention {
    /// Sessions that ended more than so many days ago; off where missing.
    pub days: Option<u32>,
    /// The oldest sessions, as long as all take more than so many GB (10⁹ bytes); off where missing.
    pub gigabytes: Option<u32>,
}
