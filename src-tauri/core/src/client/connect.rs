//! Connects: opens wires, falls back to the older transport, and takes another wire where one is lost.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::handshake::{Patience, refuses_transport};
use super::input::{Answers, Inputs};
use super::link::{Ids, Link};
use super::listen::Listening;
use super::lists::Lists;
use super::subscriptions::Subscriptions;
use super::{Client, ClientError, Negotiated, Notice, dispatch};
use crate::protocol::{ClientChoice, Era, EraChoice, LogLevel, Root, Rule, ServerConfig};
use crate::record::{Closed, Conn, EndReason, Event, Note, StoppedBy, Tap};
use crate::transport::{self, Authorize, Session, TransportError, Waits};

/// Notices that wait for a slow listener; older ones are lost to it, never to the log.
const NOTICES: usize = 256;

/// What is needed to connect to a server.
pub struct Connect {
    /// How to reach it, with values in place of references.
    pub config: ServerConfig,
    /// The log of the session.
    pub tap: Tap,
    /// Which era to speak.
    pub era: EraChoice,
    /// The server is known to end at `server/discover`: in the era `auto` it is asked `initialize` at once.
    pub no_probe: bool,
    /// No other transport than the configured one: never HTTP+SSE in place of Streamable HTTP.
    pub forced: bool,
    /// Who answers what the server asks.
    pub answers: Answers,
    /// The roots that it is told.
    pub roots: Vec<Root>,
    /// How the client shows itself, and what it answers by rule.
    pub choice: ClientChoice,
    /// The time-out of requests that set none.
    pub timeout: Duration,
    /// How long requests that set nothing else wait altogether, progress or not; at least the time-out.
    pub total: Duration,
    /// How long a probe may stay without an answer.
    pub patience: Patience,
    /// How patient the shutdown of a child is.
    pub waits: Waits,
    /// A file of certificates (PEM) of authorities that are trusted besides the machine's own; over HTTP only.
    pub ca: Option<PathBuf>,
    /// Supplies credentials.
    pub authorize: Arc<dyn Authorize>,
    /// All tasks run here.
    pub tasks: TaskTracker,
    /// Ends the connection on behalf of the user, at any time.
    pub stop: CancellationToken,
    /// Told what is being done, in words.
    pub step: Box<dyn Fn(String) + Send + Sync>,
}

impl fmt::Debug for Connect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connect")
            .field("era", &self.era)
            .finish_non_exhaustive()
    }
}

/// What all wires of a session share.
#[derive(Debug)]
pub(super) struct Dial {
    pub(super) how: Connect,
    pub(super) ids: Ids,
    pub(super) inputs: Inputs,
    pub(super) roots: Mutex<Vec<Root>>,
    pub(super) notices: broadcast::Sender<Notice>,
    /// Counts up when the requests that wait have changed.
    pub(super) waits: watch::Sender<u64>,
    /// Subscriptions that are open; another process has to be asked for them again.
    pub(super) listening: Mutex<Vec<Listening>>,
    /// What was listed last.
    pub(super) lists: Lists,
    /// What was subscribed to.
    pub(super) subscriptions: Subscriptions,
    /// The level of log messages that was asked for.
    pub(super) log_level: Mutex<Option<LogLevel>>,
    /// What answers questions in place of the user.
    pub(super) rules: Mutex<Vec<Rule>>,
    /// A question was refused, since no rule answers it.
    pub(super) unanswered: AtomicBool,
    /// Held while one wire takes the place of another.
    pub(super) renewing: tokio::sync::Mutex<()>,
    /// A process ended at `server/discover`.
    pub(super) ended_at_probe: AtomicBool,
    conns: AtomicU32,
}

/// An open wire whose era is not settled yet.
pub(super) struct Opened {
    pub(super) link: Arc<Link>,
    pub(super) alive: watch::Receiver<bool>,
    pub(super) since: Instant,
}

pub(super) type Settled = Result<Negotiated, ClientError>;

impl Connect {
    /// Connects. The client is usable when this returns; where it fails, no process is left.
    ///
    /// # Errors
    /// Says which party failed, at what, and what it said.
    pub async fn run(self) -> Result<Client, ClientError> {
        let dial = Arc::new(Dial::new(self));
        let config = dial.how.config.clone();
        let link = match dial.wire(&config, dial.how.era).await {
            Err(first) => dial.older_transport(&config, first).await?,
            Ok(link) => link,
        };
        Ok(Client { link })
    }
}

impl Dial {
    pub(super) fn new(how: Connect) -> Self {
        Self {
            roots: Mutex::new(how.roots.clone()),
            rules: Mutex::new(how.choice.rules.clone()),
            how,
            ids: Ids::default(),
            inputs: Inputs::default(),
            waits: watch::Sender::new(0),
            notices: broadcast::Sender::new(NOTICES),
            listening: Mutex::default(),
            lists: Lists::default(),
            subscriptions: Subscriptions::default(),
            log_level: Mutex::default(),
            unanswered: AtomicBool::new(false),
            renewing: tokio::sync::Mutex::default(),
            ended_at_probe: AtomicBool::new(false),
            conns: AtomicU32::new(0),
        }
    }

    /// A wire whose era is settled.
    pub(super) async fn wire(
        self: &Arc<Self>,
        config: &ServerConfig,
        era: EraChoice,
    ) -> Result<Arc<Link>, ClientError> {
        let first = self.open(config).await?;
        // Its revision is older than the other era.
        let era = match (config, era) {
            (ServerConfig::Sse { .. }, EraChoice::Auto) => EraChoice::Legacy,
            (_, era) => era,
        };
        self.negotiate(first, era).await
    }

    /// HTTP+SSE, where the server refuses the first POST of Streamable HTTP (transports › Backwards Compatibility). The first
    /// error stays visible: in the log, and in the error where this fails too.
    async fn older_transport(
        self: &Arc<Self>,
        config: &ServerConfig,
        first: ClientError,
    ) -> Result<Arc<Link>, ClientError> {
        let ServerConfig::StreamableHttp { url, headers } = config else {
            return Err(first);
        };
        let legacy = match self.how.era {
            EraChoice::Auto | EraChoice::Legacy => true,
            EraChoice::Modern => false,
            EraChoice::Revision(revision) => revision.era() == Era::Legacy,
        };
        if self.how.forced || !legacy || !refuses_transport(&first) {
            return Err(first);
        }
        let older = ServerConfig::Sse {
            url: url.clone(),
            headers: headers.clone(),
        };
        let text = format!("{first}; trying HTTP+SSE of 2024-11-05");
        let note = Event::Note(Note::Handshake { text });
        self.how
            .tap
            .event(self.last_conn(), note, None, None)
            .await?;
        let second = match self.wire(&older, self.how.era).await {
            Ok(link) => return Ok(link),
            Err(second) => second,
        };
        if matches!(
            second,
            ClientError::Closed { .. } | ClientError::NotRecording(_)
        ) {
            return Err(second);
        }
        Err(ClientError::NoTransport {
            first: Box::new(first),
            second: Box::new(second),
        })
    }

    fn last_conn(&self) -> Conn {
        Conn(self.conns.load(Ordering::Relaxed).saturating_sub(1))
    }

    pub(super) async fn open(
        self: &Arc<Self>,
        config: &ServerConfig,
    ) -> Result<Opened, ClientError> {
        if self.how.stop.is_cancelled() {
            return Err(ClientError::Cancelled {
                method: "connecting".to_owned(),
            });
        }
        (self.how.step)(match config {
            ServerConfig::Stdio { .. } => "starting the server".to_owned(),
            ServerConfig::StreamableHttp { url, .. } | ServerConfig::Sse { url, .. } => {
                format!("reaching {url}")
            }
        });
        let how = &self.how;
        let conn = Conn(self.conns.fetch_add(1, Ordering::Relaxed));
        let session = Session {
            tap: how.tap.clone(),
            conn,
            tasks: how.tasks.clone(),
            waits: how.waits,
            ca: how.ca.clone(),
        };
        let wire = match transport::open(config, session, Arc::clone(&how.authorize)).await {
            Ok(wire) => wire,
            Err(error) => {
                self.never_opened(conn, &error).await?;
                return Err(error.into());
            }
        };
        let link = Arc::new(Link::new(
            Arc::clone(self),
            config.clone(),
            conn,
            wire.writer,
        ));
        how.tasks
            .spawn(dispatch::run(Arc::clone(&link), wire.inbound));
        let (timed, stopped, stop) = (Arc::clone(&link), Arc::clone(&link), how.stop.clone());
        how.tasks.spawn(async move { timed.keep_time().await });
        how.tasks.spawn(async move {
            tokio::select! {
                () = stop.cancelled() => stopped.writer.close(StoppedBy::User, None),
                _ = stopped.gone() => {}
            }
        });
        Ok(Opened {
            link,
            alive: wire.alive,
            since: Instant::now(),
        })
    }

    /// The log tells why nothing follows.
    async fn never_opened(&self, conn: Conn, error: &TransportError) -> Result<(), ClientError> {
        let closed = Closed {
            reason: EndReason::Failed,
            by: StoppedBy::App,
            code: None,
            signal: None,
            text: Some(error.to_string()),
            lived_us: 0,
        };
        self.how
            .tap
            .event(conn, Event::Closed(closed), None, None)
            .await?;
        Ok(())
    }
}
