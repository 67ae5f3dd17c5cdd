//! Open wires to servers. Every frame passes the tap before it is delivered or written; nothing else reads pipes or sockets.

mod challenge;
mod error;
pub mod reach;
mod redirect;
mod stdio;
mod streamable_http;
#[cfg(test)]
pub(crate) mod testing;
mod writer;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use challenge::Challenge;
pub use error::TransportError;
pub use redirect::{Redirects, Returned};
pub use stdio::{Found, locate};
pub use streamable_http::{Answer, Ask, HttpError, Web};
pub use writer::Writer;

use crate::protocol::{Direction, ServerConfig};
use streamable_http::{Endpoint, Shape};

use crate::record::{Carriage, Closed, Conn, Flags, NotRecording, Recorded, Seq, Tap};

/// Size in bytes up to which a message is logged whole; a larger one is logged in parts of this size.
const PART: usize = 4 * 1024 * 1024;

/// An open transport. Dropping it does not end it: [`Writer::close`] does.
#[derive(Debug)]
pub struct Wire {
    /// Queues into the wire's writer task.
    pub writer: Writer,
    /// What comes from the other side, in the order of the log. Ends after [`Inbound::Closed`].
    pub inbound: mpsc::Receiver<Inbound>,
    /// Turns true at the first byte that the other side wrote, on stdout or stderr; over HTTP, when it is reached.
    pub alive: watch::Receiver<bool>,
}

/// What comes from a wire.
#[derive(Debug)]
pub enum Inbound {
    /// A frame, already in the log.
    Frame(Recorded),
    /// An exchange ended without (more) answers, or its frame could not be written. The wire itself goes on.
    Ended {
        /// The outbound frame; of one that was sent again, the first.
        via: Seq,
        /// Why.
        why: Ended,
    },
    /// The wire is gone, nothing follows. Not in the log yet: whoever receives it first writes notes about what was left
    /// without an answer, then [`crate::record::Event::Closed`].
    Closed(CloseReason),
}

/// Why no (more) answers come to a frame.
#[derive(Clone, Debug)]
pub enum Ended {
    /// It could not be written. The end of the wire is about to tell why.
    Unwritten,
    /// Its HTTP exchange is over and no answer can come any more: what to tell whoever still waits. Over Streamable HTTP every
    /// exchange of a message ends with this, unless a response with its id came in it.
    Over(TransportError),
}

/// How a wire ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloseReason {
    /// The event for the log.
    pub closed: Closed,
    /// The last lines of the child's stderr, known secrets masked; may be empty.
    pub last_stderr: String,
}

/// Where the writer task leaves the number of an outbound frame: once it is logged, before a byte of it is written.
pub type SeqSlot = Arc<OnceLock<Seq>>;

/// A message to be sent.
#[derive(Clone, Debug, Default)]
pub struct Outbound {
    /// Its bytes. On stdio every line of it is a frame of its own.
    pub raw: Bytes,
    /// Headers of the HTTP request; stdio ignores them.
    pub headers: Vec<(String, String)>,
    /// Ends the HTTP exchange; stdio ignores it.
    pub abort: CancellationToken,
    /// The record that it is about, e.g. the original of a repeated frame.
    pub about: Option<Seq>,
    /// Gets its number (that of its first line).
    pub seq: SeqSlot,
}

impl Outbound {
    /// A message without anything special.
    pub fn new(raw: impl Into<Bytes>) -> Self {
        Self {
            raw: raw.into(),
            ..Self::default()
        }
    }
}

/// How long to wait for a child to end, at each step of the shutdown of basic/lifecycle › Shutdown.
#[derive(Clone, Copy, Debug)]
pub struct Waits {
    /// After its stdin was closed.
    pub stdin: Duration,
    /// After `SIGTERM` to its process group.
    pub term: Duration,
    /// After `SIGKILL`, and for its pipes to run dry.
    pub kill: Duration,
}

impl Default for Waits {
    fn default() -> Self {
        let two = Duration::from_secs(2);
        Self {
            // Servers in Python were seen to take more than two seconds, and to end rightly then.
            stdin: Duration::from_secs(5),
            term: two,
            kill: two,
        }
    }
}

/// What a wire needs from its session.
#[derive(Clone, Debug)]
pub struct Session {
    /// Logs what crosses the wire.
    pub tap: Tap,
    /// The number of this wire.
    pub conn: Conn,
    /// Its tasks run here.
    pub tasks: TaskTracker,
    /// How patient the shutdown is.
    pub waits: Waits,
    /// A file of certificates (PEM) that are trusted besides the machine's own; over HTTP only.
    pub ca: Option<PathBuf>,
}

impl Session {
    /// Logs a message that is about to be sent.
    async fn log(&self, mut raw: Bytes, about: Option<Seq>) -> Result<Recorded, NotRecording> {
        let at = Carriage {
            conn: self.conn,
            via: None,
            about,
            flags: Flags::default(),
        };
        if raw.len() <= PART {
            return self.tap.frame(Direction::ClientToServer, raw, at).await;
        }
        let mut long = self.tap.begin(Direction::ClientToServer, at);
        while !raw.is_empty() {
            long.part(raw.split_to(raw.len().min(PART))).await?;
        }
        long.finish().await
    }
}

/// What to do after an authorization challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Send the request again.
    Retry,
    /// Give up.
    Stop,
}

/// Supplies credentials for HTTP. stdio takes them from the environment and never asks (transports › stdio).
pub trait Authorize: Send + Sync {
    /// Headers for a request by `method` to `url`.
    fn headers(
        &self,
        method: &str,
        url: &str,
    ) -> futures_util::future::BoxFuture<'_, Vec<(String, String)>>;
    /// What to do after a challenge; `sent` is the `Authorization` that was refused.
    fn on_challenge(
        &self,
        challenge: Challenge,
        sent: Option<&str>,
    ) -> futures_util::future::BoxFuture<'_, Next>;
}

/// Has no credentials.
#[derive(Clone, Copy, Debug)]
pub struct Anonymous;

impl Authorize for Anonymous {
    fn headers(
        &self,
        _method: &str,
        _url: &str,
    ) -> futures_util::future::BoxFuture<'_, Vec<(String, String)>> {
        Box::pin(std::future::ready(vec![]))
    }

    fn on_challenge(
        &self,
        _challenge: Challenge,
        _sent: Option<&str>,
    ) -> futures_util::future::BoxFuture<'_, Next> {
        Box::pin(std::future::ready(Next::Stop))
    }
}

/// Opens a wire and logs `Opened`: starts the child; an endpoint is reached with the first message only. `config` holds
/// values, no references.
///
/// # Errors
/// Where nothing could be started; then no process is left behind.
pub async fn open(
    config: &ServerConfig,
    session: Session,
    authorize: Arc<dyn Authorize>,
) -> Result<Wire, TransportError> {
    match config {
        ServerConfig::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            let child = stdio::Command {
                command,
                args,
                env,
                cwd: cwd.as_deref(),
            };
            stdio::open(&child, session).await
        }
        ServerConfig::StreamableHttp { url, headers } => {
            let endpoint = Endpoint::new(url, headers, session.ca.as_deref())?;
            let shape = Shape::Streamable;
            streamable_http::open(shape, endpoint, session, authorize).await
        }
        ServerConfig::Sse { url, headers } => {
            let endpoint = Endpoint::new(url, headers, session.ca.as_deref())?;
            let shape = Shape::TwoEndpoints;
            streamable_http::open(shape, endpoint, session, authorize).await
        }
    }
}
