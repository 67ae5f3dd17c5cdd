//! What the history hands out and takes in: servers, sessions, rows.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use bytes::Bytes;
use uuid::Uuid;

use crate::protocol::{Direction, EraChoice, Kind, ServerConfig};
use crate::record::{Conn, EventKind, Flags, Seq, SessionId};

/// A server in the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its id.
    pub id: Uuid,
    /// Its name; unique in the catalogue.
    pub name: String,
    /// How it is reached: references, never the values of secrets.
    pub config: ServerConfig,
    /// Which era or revision to speak.
    pub era: EraChoice,
    /// How long a request waits for its answer, in milliseconds.
    pub timeout_ms: u64,
    /// Its place in lists, smallest first.
    pub position: i64,
    /// The built-in demo server.
    pub demo: bool,
    /// It was pasted or imported, and the user has not confirmed that it may be started.
    pub unconfirmed: bool,
}

impl Server {
    /// How long a request waits where nothing else is said, in milliseconds.
    pub const TIMEOUT_MS: u64 = 30_000;
}

/// How a server's connection is made and kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectionOptions {
    /// It is made again, with growing pauses, where the server ends it.
    pub reconnect: bool,
    /// A file of certificates (PEM) of authorities that are trusted besides the machine's own; over HTTP only.
    pub ca: Option<PathBuf>,
    /// Files, folders and globs whose changes restart it, as typed; relative ones from its working directory.
    pub watch: Vec<String>,
    /// How long a request waits altogether, progress or not; an hour where missing.
    pub total: Option<Duration>,
    /// How long its process may take to end after its stdin was closed; 5 s where missing; over stdio only.
    pub grace: Option<Duration>,
    /// How long it may be silent at its start; by its command where missing; over stdio only.
    pub start: Option<Duration>,
}

impl ConnectionOptions {
    /// The longest that a request can wait altogether.
    pub const LONGEST_TOTAL: Duration = Duration::from_secs(86_400);
    /// The longest that a process can be given to end.
    pub const LONGEST_GRACE: Duration = Duration::from_secs(60);
    /// The longest that a server can be silent at its start.
    pub const LONGEST_START: Duration = Duration::from_secs(600);
}

/// Who made a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The desktop app.
    App,
    /// The headless tool.
    Cli,
    /// A capture file.
    Import,
}

impl Origin {
    /// The word of the filter language, the catalogue and the capture format.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Cli => "cli",
            Self::Import => "import",
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Origin {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::App, Self::Cli, Self::Import]
            .into_iter()
            .find(|o| o.as_str() == text)
            .ok_or(())
    }
}

/// What the owner of a session does when its log cannot be written any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnLoss {
    /// Stop reading and close the wire: nothing goes unrecorded.
    Close,
}

/// A session to be recorded.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Its id, made by the caller.
    pub id: SessionId,
    /// The server in the catalogue.
    pub server: Option<Uuid>,
    /// The server's name, kept when the server goes.
    pub server_name: String,
    /// How it is reached: references, never the values of secrets.
    pub config: ServerConfig,
    /// Who makes it.
    pub origin: Origin,
    /// The session that this one restarts.
    pub previous: Option<SessionId>,
    /// What to do when it cannot be recorded.
    pub on_loss: OnLoss,
}

/// Whether a session can still grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionState {
    /// This process records it.
    Live,
    /// Another process records it.
    LiveElsewhere,
    /// It was ended properly.
    Ended,
    /// It ended because the process that recorded it is gone.
    OwnerGone,
}

/// What lists show of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSummary {
    /// Its id.
    pub id: SessionId,
    /// The server in the catalogue at the time; it may be gone.
    pub server: Option<Uuid>,
    /// The server's name at the time.
    pub server_name: String,
    /// Number among the server's sessions, from 1; never used again.
    pub number: u32,
    /// A name given by the user.
    pub name: Option<String>,
    /// Who made it.
    pub origin: Origin,
    /// Microseconds since the epoch.
    pub started_us: i64,
    /// Microseconds since the epoch; missing while it lives.
    pub ended_us: Option<i64>,
    /// Records in its log; up to a second old while it lives.
    pub records: u64,
    /// Frames among them.
    pub frames: u64,
    /// Bytes of all bodies.
    pub bytes: u64,
    /// JSON-RPC errors, results with `isError`, malformed frames, time-outs and crashes.
    pub errors: u64,
    /// `legacy` or `modern`, once negotiated.
    pub era: Option<String>,
    /// The negotiated revision.
    pub revision: Option<String>,
    /// Name and version that the server gave itself.
    pub peer: Option<String>,
    /// How it ended, in two words: `exit 3`, `SIGKILL`, `closed`.
    pub outcome: Option<String>,
    /// The process ended by itself with a code other than 0, or by a signal.
    pub crashed: bool,
    /// Whether it can still grow.
    pub state: SessionState,
    /// Retention never touches it.
    pub pinned: bool,
    /// The user's tags.
    pub tags: Vec<String>,
    /// The session that it restarted.
    pub previous: Option<SessionId>,
    /// How the server was reached: references, never the values of secrets.
    pub config: ServerConfig,
}

/// Which sessions to list.
#[derive(Clone, Debug, Default)]
pub struct SessionQuery {
    /// Only those of this server.
    pub server: Option<Uuid>,
    /// A filter (see [`super::filter`]). Terms about sessions hold for the session; of the others, one record matches all that
    /// are wanted, and none matches one that is not. Text in the session's names counts too.
    pub search: String,
    /// How many at most; all of them where missing.
    pub limit: Option<u32>,
}

/// What became of a request that was not answered in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// No answer came in time.
    TimedOut,
    /// The user cancelled it.
    Cancelled,
    /// The wire ended first.
    Unanswered,
}

/// What became of a request, or what a response says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A result.
    Ok,
    /// A JSON-RPC error.
    Error,
    /// A tool result with `isError: true`.
    IsError,
    /// No answer came in time; an answer may have come later.
    TimedOut,
    /// The user cancelled; an answer may have come later.
    Cancelled,
    /// The wire ended first.
    Unanswered,
    /// No answer yet.
    Pending,
}

/// A record without its body, as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub seq: Seq,
    /// Microseconds since the epoch.
    pub at_us: i64,
    /// Microseconds since the row above in the log, which a filter may hide.
    pub gap_us: Option<i64>,
    /// The process or wire that it belongs to.
    pub conn: Conn,
    /// Which of the six events it is.
    pub event: EventKind,
    /// Frames and HTTP only.
    pub direction: Option<Direction>,
    /// The exchange that carried it.
    pub via: Option<Seq>,
    /// The record that it is about.
    pub about: Option<Seq>,
    /// Frames only.
    pub kind: Option<Kind>,
    /// Of a request or notification; a response carries its request's.
    pub method: Option<String>,
    /// The JSON-RPC id as written.
    pub rpc_id: Option<String>,
    /// Responses: the request.
    pub reply_to: Option<Seq>,
    /// Requests: the first response, alone or in a batch.
    pub answer: Option<Seq>,
    /// Requests and responses: microseconds from one to the other.
    pub dur_us: Option<i64>,
    /// HTTP status, JSON-RPC error code or exit code.
    pub code: Option<i64>,
    /// Size of the body in bytes.
    pub size: u64,
    /// Marks.
    pub flags: Flags,
    /// The Summary column, at most 160 characters.
    pub preview: String,
    /// Requests: what a note says of them.
    pub settled: Option<Settled>,
    /// Requests and responses: what became of it, or what it says.
    pub verdict: Option<Verdict>,
    /// The body, where it is at most [`Row::WHOLE`] bytes and did not come in parts.
    pub whole: Option<Bytes>,
}

impl Row {
    /// Up to this many bytes a body rides along with its row.
    pub const WHOLE: u64 = 2048;

    /// The word of the Kind column and of `kind:` in the filter language.
    pub fn kind_word(&self) -> &'static str {
        match self.event {
            EventKind::Frame => self.kind.unwrap_or(Kind::Malformed).as_str(),
            EventKind::Http => "http",
            EventKind::Stderr => "stderr",
            EventKind::Note | EventKind::Unknown => "note",
            EventKind::Opened | EventKind::Closed => "lifecycle",
        }
    }
}
