//! Open sessions: what shells talk to. Opens, closes, lists; connects secrets, history and client.

mod error;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;
use uuid::Uuid;

pub use error::Error;

use crate::client::{Client, Negotiated};
use crate::history::{History, Origin, Server};
use crate::protocol::EraChoice;
use crate::record::{NotRecording, SessionId};
use crate::secrets::SecretStore;
use crate::transport::CloseReason;

/// How to open a session.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// Who opens it.
    pub origin: Origin,
    /// The session that it restarts.
    pub previous: Option<SessionId>,
    /// In place of the server's own choice.
    pub era: Option<EraChoice>,
    /// In place of the server's own time-out.
    pub timeout: Option<Duration>,
}

impl OpenOptions {
    /// A new session with the server's own choices.
    pub fn new(origin: Origin) -> Self {
        Self {
            origin,
            previous: None,
            era: None,
            timeout: None,
        }
    }
}

/// How it stands with a session of this process.
#[derive(Clone, Debug)]
pub enum State {
    /// On the way.
    Connecting {
        /// What is being done, in words.
        step: String,
    },
    /// Usable.
    Connected {
        /// What both sides agreed on.
        negotiated: Arc<Negotiated>,
        /// Since when: microseconds since the epoch.
        since_us: i64,
    },
    /// It could not be connected.
    Failed {
        /// Why.
        error: Arc<Error>,
    },
    /// It was connected and has ended.
    Closed {
        /// How.
        reason: Arc<CloseReason>,
    },
    /// It was ended because its log could not be written.
    NotRecording(NotRecording),
}

impl State {
    /// Whether it can still change.
    pub fn is_live(&self) -> bool {
        matches!(self, Self::Connecting { .. } | Self::Connected { .. })
    }
}

/// A live session of this process.
#[derive(Clone, Debug)]
pub struct Live {
    /// The session.
    pub id: SessionId,
    /// Its server in the catalogue.
    pub server: Option<Uuid>,
    /// Its server's name.
    pub server_name: String,
    /// How it stands.
    pub state: State,
}

/// The set of open sessions. A clone is the same set.
#[derive(Clone)]
pub struct ClientManager {
    history: History,
    changes: broadcast::Sender<SessionId>,
}

impl std::fmt::Debug for ClientManager {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientManager")
            .field("live", &self.live())
            .finish_non_exhaustive()
    }
}

#[allow(clippy::unused_async, reason = "bodies follow")]
impl ClientManager {
    /// No session yet.
    pub fn new(history: History, _secrets: Arc<dyn SecretStore>) -> Self {
        Self {
            history,
            changes: broadcast::Sender::new(256),
        }
    }

    /// Opens a session: it exists when this returns, connecting goes on in its task. A server with a nil id is not in the
    /// catalogue.
    ///
    /// # Errors
    /// Where a reference cannot be resolved or the session cannot be stored.
    pub async fn open(&self, _server: &Server, _options: OpenOptions) -> Result<SessionId, Error> {
        Err(Error::Internal)
    }

    /// Waits until the session is usable.
    ///
    /// # Errors
    /// Where it could not be connected or has ended.
    pub async fn connected(&self, id: SessionId) -> Result<Client, Error> {
        Err(Error::NotOpen(id))
    }

    /// Ends a session and waits until all of it is stored.
    ///
    /// # Errors
    /// Where it is not open.
    pub async fn close(&self, id: SessionId) -> Result<(), Error> {
        Err(Error::NotOpen(id))
    }

    /// Ends all sessions and waits until all of them are stored.
    pub async fn close_all(&self) {}

    /// The client of a connected session.
    pub fn client(&self, _id: SessionId) -> Option<Client> {
        None
    }

    /// All live sessions, oldest first.
    pub fn live(&self) -> Vec<Live> {
        vec![]
    }

    /// How it stands with a session that this process opened.
    pub fn state(&self, _id: SessionId) -> Option<State> {
        None
    }

    /// Yields sessions whose state changed. A hint: read the state.
    pub fn subscribe(&self) -> broadcast::Receiver<SessionId> {
        self.changes.subscribe()
    }

    /// The store.
    pub fn history(&self) -> &History {
        &self.history
    }
}
