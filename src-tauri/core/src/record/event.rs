//! What can be in the log: a closed set of six events, and the shapes of their bodies.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::{Flags, Note, Record};
use crate::protocol::Direction;

/// Which of the six events a record is. The integers stand in session files and are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A process or wire was opened.
    Opened = 1,
    /// Bytes that crossed the wire where a JSON-RPC message is expected, valid or not.
    Frame = 2,
    /// A part of an HTTP exchange that is no frame.
    Http = 3,
    /// A line that the child wrote to stderr.
    Stderr = 4,
    /// What this app did or decided and no byte tells.
    Note = 5,
    /// A process or wire ended.
    Closed = 6,
    /// An event of a newer program.
    Unknown = 0,
}

impl EventKind {
    /// Every event, by its number.
    const ALL: [Self; 7] = [
        Self::Unknown,
        Self::Opened,
        Self::Frame,
        Self::Http,
        Self::Stderr,
        Self::Note,
        Self::Closed,
    ];

    /// The word of the capture format.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Opened => "opened",
            Self::Frame => "frame",
            Self::Http => "http",
            Self::Stderr => "stderr",
            Self::Note => "note",
            Self::Closed => "closed",
        }
    }

    /// The event of that word; a word of a newer program is [`EventKind::Unknown`].
    pub fn from_word(word: &str) -> Self {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == word)
            .unwrap_or(Self::Unknown)
    }

    /// The event of that number in a session file; a number of a newer program is [`EventKind::Unknown`].
    pub fn from_number(number: i64) -> Self {
        Self::ALL
            .into_iter()
            .find(|kind| *kind as i64 == number)
            .unwrap_or(Self::Unknown)
    }
}

/// An event to be logged. Frames do not stand here: only the tap makes them, from bytes.
#[derive(Clone, Debug)]
pub enum Event {
    /// A process or wire was opened.
    Opened(Opened),
    /// A part of an HTTP exchange.
    Http(HttpEvent),
    /// A line that the child wrote to stderr.
    Stderr {
        /// The line without its `\n`, at most 64 KiB.
        line: Bytes,
        /// It was written before its `\n` came.
        unterminated: bool,
    },
    /// What this app did or decided.
    Note(Note),
    /// A process or wire ended.
    Closed(Closed),
}

impl Event {
    /// Which of the six it is.
    pub fn kind(&self) -> EventKind {
        match self {
            Self::Opened(_) => EventKind::Opened,
            Self::Http(_) => EventKind::Http,
            Self::Stderr { .. } => EventKind::Stderr,
            Self::Note(_) => EventKind::Note,
            Self::Closed(_) => EventKind::Closed,
        }
    }

    /// A request goes to the server, the rest of an HTTP exchange comes from it.
    pub(super) fn direction(&self) -> Option<Direction> {
        match self {
            Self::Http(HttpEvent {
                phase: HttpPhase::Request,
                ..
            }) => Some(Direction::ClientToServer),
            Self::Http(_) => Some(Direction::ServerToClient),
            Self::Opened(_) | Self::Stderr { .. } | Self::Note(_) | Self::Closed(_) => None,
        }
    }

    /// What is logged of it: a line of stderr as it is, all else as JSON.
    pub fn body(&self) -> Bytes {
        match self {
            Self::Opened(opened) => json(opened),
            Self::Http(http) => json(http),
            Self::Stderr { line, .. } => line.clone(),
            Self::Note(note) => json(note),
            Self::Closed(closed) => json(closed),
        }
    }

    /// Reads what [`Event::body`] wrote; `None` for a frame, and for what only a newer program can read.
    pub fn read(kind: EventKind, body: &[u8], flags: Flags) -> Option<Self> {
        match kind {
            EventKind::Opened => serde_json::from_slice(body).ok().map(Self::Opened),
            EventKind::Http => serde_json::from_slice(body).ok().map(Self::Http),
            EventKind::Stderr => Some(Self::Stderr {
                line: Bytes::copy_from_slice(body),
                unterminated: flags.has(Flags::UNTERMINATED),
            }),
            EventKind::Note => Some(Self::Note(
                serde_json::from_slice(body).unwrap_or(Note::Unknown),
            )),
            EventKind::Closed => serde_json::from_slice(body).ok().map(Self::Closed),
            EventKind::Frame | EventKind::Unknown => None,
        }
    }

    /// The event of a record whose body is whole.
    pub fn of(record: &Record) -> Option<Self> {
        Self::read(record.event, record.body.head(), record.flags)
    }

    /// The marks that follow from it alone.
    pub(super) fn flags(&self) -> Flags {
        match self {
            Self::Stderr { unterminated, .. } => {
                Flags::default().with_if(*unterminated, Flags::UNTERMINATED)
            }
            Self::Closed(closed) => Flags::default().with_if(closed.is_crash(), Flags::CRASH),
            Self::Opened(_) | Self::Http(_) | Self::Note(_) => Flags::default(),
        }
    }
}

/// Nothing in these types can fail to be written; were it to, an empty body would still keep the row.
fn json(body: &impl Serialize) -> Bytes {
    let mut bytes = Vec::with_capacity(512);
    match serde_json::to_writer(&mut bytes, body) {
        Ok(()) => bytes.into(),
        Err(_) => Bytes::new(),
    }
}

/// Where the `PATH` came from in which the executable was looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PathSource {
    /// The environment of this app.
    App,
    /// The user's login shell.
    LoginShell,
    /// The server's own configuration.
    Config,
}

/// Body of `opened`: what was started or reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "transport", rename_all = "kebab-case")]
pub enum Opened {
    /// A child process.
    Stdio {
        /// The file that was started.
        executable: String,
        /// The command and its arguments, as handed over.
        argv: Vec<String>,
        /// The working directory.
        cwd: String,
        /// The `PATH` in which the executable was looked up.
        path: String,
        /// Where that `PATH` came from.
        path_source: PathSource,
        /// Names of the variables that the configuration sets; never their values.
        env: Vec<String>,
        /// Process id.
        pid: u32,
    },
    /// An HTTP endpoint.
    Http {
        /// Its URL.
        url: String,
    },
}

/// Which part of an HTTP exchange a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HttpPhase {
    /// Method, URL and headers of a request.
    Request,
    /// Status and headers of its response.
    Response,
    /// The end of the response.
    End,
    /// An SSE block without data.
    Comment,
}

/// Body of `http`: a part of an HTTP exchange. The exchange is named by the record's `via`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpEvent {
    /// Which part it is.
    pub phase: HttpPhase,
    /// The request's method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The request's URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The response's status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Headers, secrets masked; order and letter case are not claimed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// Of a response: microseconds that the request waited for its connection to be made (name look-up, TCP, TLS); 0 where it
    /// went over one that was there. Missing where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connect_us: Option<u64>,
    /// What is to be said in words: why it ended, or the text of a comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Who ended a process or wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoppedBy {
    /// It ended by itself.
    Server,
    /// The user, through this app.
    User,
    /// This app: the handshake, a respawn, a failing recorder.
    App,
}

/// Why a process or wire ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// The process exited.
    Exited,
    /// The stream ended while the process lives.
    StreamEnded,
    /// It was closed on purpose.
    Closed,
    /// The transport failed.
    Failed,
    /// This app failed.
    Internal,
}

/// Body of `closed`: how a process or wire ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closed {
    /// Why.
    pub reason: EndReason,
    /// By whom.
    pub by: StoppedBy,
    /// Exit code of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// Signal that ended the process, as a name (`SIGKILL`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// What is to be said in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How long it lived.
    pub lived_us: i64,
}

impl Closed {
    /// Ended by itself with a code other than 0, or by a signal that is not ours.
    fn is_crash(&self) -> bool {
        self.by == StoppedBy::Server
            && (self.signal.is_some() || self.code.is_some_and(|code| code != 0))
    }
}
