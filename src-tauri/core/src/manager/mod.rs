//! Open sessions: what shells talk to. Opens, closes, lists; connects secrets, history and client.

mod error;
mod lists;
mod session;
mod sign_in;
#[cfg(test)]
mod tests;
mod watch;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{broadcast, oneshot};
use tokio_util::task::TaskTracker;
use uuid::Uuid;

pub use error::Error;
pub use sign_in::{SIGN_IN_TAG, SignInOptions};
pub use watch::{PathError, Watch, check as check_watched_path};

use crate::auth::{Browser, Credentials};
use crate::client::{Answers, Client, Draft, Negotiated, Patience};
use crate::history::{ConnectionOptions, History, NewSession, OnLoss, Origin, Server};
use crate::protocol::{AuthChoice, ClientChoice, EraChoice, Root, ServerConfig};
use crate::record::{NotRecording, SessionId};
use crate::secrets::{ResolvedConfig, SecretStore, Secrets, resolve, resolve_auth};
use crate::transport::{CloseReason, Waits};
use session::{Auth, Held, Plan};
use watch::{Wanted, Watching};

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
    /// No other transport than the configured one.
    pub forced: bool,
    /// Who answers what the server asks.
    pub answers: Answers,
    /// The roots that it is told.
    pub roots: Vec<Root>,
    /// How the client shows itself, and what it answers by rule.
    pub choice: ClientChoice,
    /// A file of certificates (PEM) of authorities that are trusted besides the machine's own, in place of that of the
    /// catalogue; over HTTP only.
    pub ca: Option<PathBuf>,
    /// How to sign in, with values in place of references, in place of what the catalogue says.
    pub auth: Option<AuthChoice>,
    /// Connect again, with growing pauses, where the server ends the connection, also where the catalogue does not say so.
    pub reconnect: bool,
    /// Read a list again when the server says that it has changed.
    pub follow_lists: bool,
    /// Restart the server, in a new session, when a path changes that the catalogue says to watch.
    pub watch: bool,
    /// In place of the waits of the catalogue, or the app's own.
    pub waits: OwnWaits,
}

/// Waits that are chosen for a server or a run; where missing, the next one who knows decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnWaits {
    /// How long a request waits altogether, progress or not.
    pub total: Option<Duration>,
    /// How long a child may take to end after its stdin was closed.
    pub grace: Option<Duration>,
    /// How long a server may be silent at its start.
    pub start: Option<Duration>,
}

impl OwnWaits {
    /// Those of a server.
    pub fn of(kept: &ConnectionOptions) -> Self {
        Self {
            total: kept.total,
            grace: kept.grace,
            start: kept.start,
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            total: self.total.or(other.total),
            grace: self.grace.or(other.grace),
            start: self.start.or(other.start),
        }
    }
}

impl OpenOptions {
    /// A new session with the server's own choices.
    pub fn new(origin: Origin) -> Self {
        Self {
            origin,
            previous: None,
            era: None,
            timeout: None,
            forced: false,
            answers: Answers::Refuse,
            roots: vec![],
            choice: ClientChoice::default(),
            ca: None,
            auth: None,
            reconnect: false,
            follow_lists: false,
            watch: false,
            waits: OwnWaits::default(),
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
    /// It is being ended: the process may still be there.
    Closing {
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
        matches!(
            self,
            Self::Connecting { .. } | Self::Connected { .. } | Self::Closing { .. }
        )
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
    shared: Arc<Shared>,
    secrets: Arc<dyn SecretStore>,
    credentials: Credentials,
    /// Stands in for a person where a server asks for a sign-in.
    browser: Option<Arc<dyn Browser>>,
}

struct Shared {
    history: History,
    changes: broadcast::Sender<SessionId>,
    /// Also those that have ended, so that their state can be asked for. Ids are ordered by time.
    sessions: Mutex<BTreeMap<SessionId, Arc<Held>>>,
    /// By server.
    watches: Mutex<HashMap<Uuid, Watching>>,
    tasks: TaskTracker,
}

impl fmt::Debug for ClientManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientManager")
            .field("live", &self.live())
            .finish_non_exhaustive()
    }
}

impl ClientManager {
    /// No session yet.
    pub fn new(history: History, secrets: Arc<dyn SecretStore>) -> Self {
        let shared = Shared {
            history,
            changes: broadcast::Sender::new(256),
            sessions: Mutex::default(),
            watches: Mutex::default(),
            tasks: TaskTracker::new(),
        };
        Self {
            shared: Arc::new(shared),
            secrets,
            credentials: Credentials::new(Secrets::in_memory()),
            browser: None,
        }
    }

    /// The same set, with the tokens that are kept there.
    #[must_use]
    pub fn with_credentials(self, credentials: Credentials) -> Self {
        Self {
            credentials,
            ..self
        }
    }

    /// The same set, where something stands in for the person that a sign-in needs.
    #[must_use]
    pub fn with_browser(self, browser: Arc<dyn Browser>) -> Self {
        Self {
            browser: Some(browser),
            ..self
        }
    }

    /// The tokens of servers.
    pub fn credentials(&self) -> &Credentials {
        &self.credentials
    }

    /// The same set, where sessions are opened with the secrets of another store.
    #[must_use]
    pub fn with_secrets(&self, secrets: Arc<dyn SecretStore>) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            secrets,
            ..self.clone()
        }
    }

    /// What would be started or reached for a server: with values in place of references.
    ///
    /// # Errors
    /// Where a reference cannot be resolved.
    pub async fn resolved(&self, server: &Server) -> Result<ResolvedConfig, Error> {
        let env = |name: &str| std::env::var(name).ok();
        Ok(resolve(&started(server), env, &*self.secrets).await?)
    }

    /// How to sign in to a server of the catalogue, with values in place of references.
    ///
    /// # Errors
    /// Where a reference cannot be resolved.
    pub async fn auth_choice(&self, server: Uuid) -> Result<AuthChoice, Error> {
        if server.is_nil() {
            return Ok(AuthChoice::default());
        }
        let choice = self.shared.history.auth_choice(server).await?;
        let env = |name: &str| std::env::var(name).ok();
        Ok(resolve_auth(&choice, env, &*self.secrets).await?)
    }

    /// Opens a session: it exists when this returns, connecting goes on in its task. A server with a nil id is not in the
    /// catalogue.
    ///
    /// # Errors
    /// Where a reference cannot be resolved or the session cannot be stored.
    pub async fn open(&self, server: &Server, options: OpenOptions) -> Result<SessionId, Error> {
        if !options.watch || server.id.is_nil() {
            return self.open_as(server, options, None).await;
        }
        // An earlier session of it is not restarted beside this one.
        self.unwatch(|watched, _| watched == server.id).await;
        let id = self.open_as(server, options.clone(), None).await?;
        let kept = self.history().connection_options(server.id).await?;
        if let Some(wanted) = Wanted::of(server, kept) {
            self.begin_watch(server.id, id, options, wanted);
        }
        Ok(id)
    }

    /// Opens a session; `why` this app does so by itself is its first note.
    async fn open_as(
        &self,
        server: &Server,
        options: OpenOptions,
        why: Option<String>,
    ) -> Result<SessionId, Error> {
        let shared = &self.shared;
        let resolved = self.resolved(server).await?;
        let id = SessionId(Uuid::now_v7());
        let in_catalogue = (!server.id.is_nil()).then_some(server.id);
        let new = NewSession {
            id,
            server: in_catalogue,
            server_name: server.name.clone(),
            config: server.config.clone(),
            origin: options.origin,
            previous: options.previous,
            on_loss: OnLoss::Close,
        };
        let kept = match in_catalogue {
            Some(server) => shared.history.connection_options(server).await?,
            None => ConnectionOptions::default(),
        };
        let no_probe = match in_catalogue {
            Some(server) => shared.history.no_probe(server).await?,
            None => false,
        };
        let auth = Auth {
            choice: match options.auth {
                Some(choice) => choice,
                None => self.auth_choice(server.id).await?,
            },
            credentials: self.credentials.clone(),
            browser: self.browser.clone(),
        };
        let own = options.waits.or(OwnWaits::of(&kept));
        let mut waits = Waits::default();
        waits.stdin = own.grace.unwrap_or(waits.stdin);
        let held = Arc::new(Held::new(
            id,
            in_catalogue,
            server.name.clone(),
            waits,
            shared.changes.clone(),
        ));
        // Before there is a file: whoever finds the session there must find its state here.
        shared.sessions.lock().insert(id, Arc::clone(&held));
        let learner = Arc::clone(shared);
        let learn = move |known: bool| {
            let (Some(server), learner) = (in_catalogue, Arc::clone(&learner)) else {
                return;
            };
            let tasks = learner.tasks.clone();
            tasks.spawn(async move {
                if let Err(error) = learner.history.set_no_probe(server, known).await {
                    tracing::warn!("how to ask the server {server} is not kept: {error}");
                }
            });
        };
        let config = resolved.values().clone();
        let plan = Plan {
            learn: Box::new(learn),
            why,
            patience: match own.start {
                Some(start) => Patience {
                    from_output: start,
                    from_start: start,
                },
                None => Patience::of(&config),
            },
            total: own.total.unwrap_or(Draft::TOTAL),
            config,
            era: options.era.unwrap_or(server.era),
            no_probe,
            forced: options.forced,
            ca: options.ca.or(kept.ca),
            auth,
            reconnect: options.reconnect || kept.reconnect,
            follow_lists: options.follow_lists,
            answers: options.answers,
            roots: options.roots,
            choice: options.choice,
            timeout: options
                .timeout
                .unwrap_or(Duration::from_millis(server.timeout_ms)),
        };
        let (tell, begun) = oneshot::channel();
        let secrets = resolved.secrets().clone();
        let opening = Arc::clone(shared);
        // In the task, so that it is begun or given up whole, also where nobody waits for it any more.
        shared.tasks.spawn(async move {
            match opening.history.record(new, secrets).await {
                Ok(recording) => {
                    // Whoever learns of it may have something to note.
                    held.begin(&recording);
                    let _ = opening.changes.send(id);
                    // Nobody may be waiting.
                    let _ = tell.send(Ok(id));
                    held.run(plan, recording).await;
                }
                Err(error) => {
                    opening.sessions.lock().remove(&id);
                    held.give_up();
                    let _ = tell.send(Err(error));
                }
            }
        });
        Ok(begun.await.map_err(|_| Error::Internal)??)
    }

    /// Waits until the session is usable.
    ///
    /// # Errors
    /// Where it could not be connected or has ended.
    pub async fn connected(&self, id: SessionId) -> Result<Client, Error> {
        self.held(id)?.connected().await
    }

    /// Ends a session and waits until all of it is stored.
    ///
    /// # Errors
    /// Where this process has not opened it.
    pub async fn close(&self, id: SessionId) -> Result<(), Error> {
        self.unwatch(|_, session| session == id).await;
        self.held(id)?.close().await;
        Ok(())
    }

    /// Ends all sessions and waits until all of them are stored.
    pub async fn close_all(&self) {
        self.unwatch(|_, _| true).await;
        let held: Vec<_> = self.shared.sessions.lock().values().cloned().collect();
        futures_util::future::join_all(held.iter().map(|held| held.close())).await;
    }

    /// How long closing all sessions can take, as patient as it is with each of their servers.
    pub fn closing_time(&self) -> Duration {
        let sessions = self.shared.sessions.lock();
        let live = sessions.values().filter(|held| held.live().state.is_live());
        live.map(|held| held.closing_time())
            .max()
            .unwrap_or_default()
    }

    /// The client of a connected session.
    pub fn client(&self, id: SessionId) -> Option<Client> {
        self.held(id).ok()?.client()
    }

    /// All live sessions, oldest first.
    pub fn live(&self) -> Vec<Live> {
        let sessions = self.shared.sessions.lock();
        sessions
            .values()
            .map(|held| held.live())
            .filter(|live| live.state.is_live())
            .collect()
    }

    /// How it stands with a session that this process opened.
    pub fn state(&self, id: SessionId) -> Option<State> {
        Some(self.held(id).ok()?.live().state)
    }

    /// Yields sessions whose state changed. A hint: read the state.
    pub fn subscribe(&self) -> broadcast::Receiver<SessionId> {
        self.shared.changes.subscribe()
    }

    /// The store.
    pub fn history(&self) -> &History {
        &self.shared.history
    }

    fn held(&self, id: SessionId) -> Result<Arc<Held>, Error> {
        self.shared
            .sessions
            .lock()
            .get(&id)
            .cloned()
            .ok_or(Error::NotOpen(id))
    }
}

/// What is started for a server. The demo server is this program itself, wherever it is now; the catalogue holds no path of it.
fn started(server: &Server) -> ServerConfig {
    let mut config = server.config.clone();
    if let (true, ServerConfig::Stdio { command, .. }) = (server.demo, &mut config)
        && let Ok(own) = std::env::current_exe()
    {
        *command = own.to_string_lossy().into_owned();
    }
    config
}
