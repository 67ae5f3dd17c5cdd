//! The store: one SQLite file per session and a catalogue of them. Only this module touches SQLite.
//!
//! A session file is the truth; rows are inserted and never updated, and only the process that holds its lock writes it. The
//! catalogue holds what lists need, and is rebuilt from the files where it is lost. Begin with `migrations/`.

pub mod filter;

mod batch;
mod catalogue;
mod codes;
mod error;
mod file;
mod follow;
mod labels;
mod lock;
mod meta;
mod metrics;
mod reader;
mod rebuild;
mod recorder;
mod recover;
mod rows;
mod sealed;
mod search;
mod sessions;
mod tally;
mod transfer;
mod trash;
mod types;
mod view;
mod writer;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use sqlx::Sqlite;
use sqlx::pool::PoolConnection;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::protocol::{AuthChoice, ClientChoice, Root};
use crate::record::{Clock, KnownSecrets, SessionId};
use catalogue::Catalogue;
use lock::Lock;
use meta::Meta;
use metrics::Metrics;
use reader::Shared;
use recorder::Live;
use writer::Writer;

pub use error::HistoryError;
pub use labels::Label;
pub use metrics::{Disk, Pace};
pub use reader::SessionReader;
pub use recorder::Recording;
pub use sealed::Sealed;
pub use search::{Batch, Hit, Search};
pub use sessions::SessionList;
pub use transfer::ExportPreview;
pub use trash::Limits;
pub use types::{
    ConnectionOptions, NewSession, OnLoss, Origin, Row, Server, SessionQuery, SessionState,
    SessionSummary, Settled, Verdict,
};
pub use view::{Delta, View};

/// How often it is asked whether another process changed the catalogue.
const POLL: Duration = Duration::from_millis(250);

/// A data folder: the catalogue and the session files. Cheap to clone.
#[derive(Clone, Debug)]
pub struct History {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    dir: PathBuf,
    catalogue: Catalogue,
    changes: watch::Sender<u64>,
    live: Mutex<HashMap<SessionId, Live>>,
    /// Held while a file is opened or sealed.
    readers: tokio::sync::Mutex<HashMap<SessionId, Weak<Shared>>>,
    tasks: TaskTracker,
    metrics: Metrics,
    _stop: DropGuard,
}

impl History {
    /// Opens a data folder; makes it where it is missing. Rebuilds the catalogue from the session files if it is lost.
    pub async fn open(dir: &Path) -> Result<Self, HistoryError> {
        let sessions = dir.join("sessions");
        std::fs::create_dir_all(&sessions)
            .map_err(error::file("create the data folder", &sessions))?;
        let (catalogue, existed) = Catalogue::open(dir).await?;
        let stop = CancellationToken::new();
        let inner = Arc::new(Inner {
            dir: dir.to_owned(),
            catalogue,
            changes: watch::Sender::new(0),
            live: Mutex::default(),
            readers: tokio::sync::Mutex::default(),
            tasks: TaskTracker::new(),
            metrics: Metrics::default(),
            _stop: stop.clone().drop_guard(),
        });
        let history = Self { inner };
        history.rebuild(!existed).await?;
        let (watcher, version) = history.catalogue().watcher().await?;
        history.spawn(poll(Arc::downgrade(&history.inner), watcher, version, stop));
        Ok(history)
    }

    /// The data folder.
    pub fn dir(&self) -> &Path {
        &self.inner.dir
    }

    /// All servers, in the order of their places.
    pub async fn servers(&self) -> Result<Vec<Server>, HistoryError> {
        self.catalogue().servers().await
    }

    /// A server by its id or name.
    pub async fn server(&self, name_or_id: &str) -> Result<Option<Server>, HistoryError> {
        let id = name_or_id.parse::<Uuid>().ok();
        let servers = self.servers().await?;
        let by_id = servers.iter().position(|server| Some(server.id) == id);
        let found = by_id.or_else(|| servers.iter().position(|server| server.name == name_or_id));
        Ok(found.and_then(|index| servers.into_iter().nth(index)))
    }

    /// Inserts a server, or replaces the one with its id.
    ///
    /// # Errors
    /// [`HistoryError::NameTaken`] where another server has its name.
    pub async fn save_server(&self, server: &Server) -> Result<(), HistoryError> {
        self.catalogue().save_server(server).await?;
        self.bump();
        Ok(())
    }

    /// How the client shows itself to a server, and its rules; our own defaults for one that is not in the catalogue.
    pub async fn client_choice(&self, server: Uuid) -> Result<ClientChoice, HistoryError> {
        self.catalogue().client_choice(server).await
    }

    /// Changes how the client shows itself to a server in the catalogue.
    pub async fn set_client_choice(
        &self,
        server: Uuid,
        choice: &ClientChoice,
    ) -> Result<(), HistoryError> {
        self.catalogue().set_client_choice(server, choice).await?;
        self.bump();
        Ok(())
    }

    /// How to sign in to a server, with references; the defaults for one that is not in the catalogue.
    pub async fn auth_choice(&self, server: Uuid) -> Result<AuthChoice, HistoryError> {
        self.catalogue().auth_choice(server).await
    }

    /// Changes that, from its next sign-in on.
    pub async fn set_auth_choice(
        &self,
        server: Uuid,
        choice: &AuthChoice,
    ) -> Result<(), HistoryError> {
        self.catalogue().set_auth_choice(server, choice).await?;
        self.bump();
        Ok(())
    }

    /// How a server's connection is made and kept; the defaults for one that is not in the catalogue.
    pub async fn connection_options(
        &self,
        server: Uuid,
    ) -> Result<ConnectionOptions, HistoryError> {
        self.catalogue().connection_options(server).await
    }

    /// Whether a server is known not to bear `server/discover`: its process ended at it, or was silent.
    pub async fn no_probe(&self, server: Uuid) -> Result<bool, HistoryError> {
        self.catalogue().no_probe(server).await
    }

    /// Keeps that, until the server's configuration changes.
    pub async fn set_no_probe(&self, server: Uuid, known: bool) -> Result<(), HistoryError> {
        self.catalogue().set_no_probe(server, known).await
    }

    /// Changes how the connection of a server in the catalogue is made and kept, from its next session on.
    pub async fn set_connection_options(
        &self,
        server: Uuid,
        options: &ConnectionOptions,
    ) -> Result<(), HistoryError> {
        self.catalogue()
            .set_connection_options(server, options)
            .await?;
        self.bump();
        Ok(())
    }

    /// Deletes a server; its sessions stay.
    pub async fn delete_server(&self, id: Uuid) -> Result<(), HistoryError> {
        self.catalogue().delete_server(id).await?;
        self.bump();
        Ok(())
    }

    /// The roots that a server is told; none for one that is not in the catalogue.
    pub async fn roots(&self, server: Uuid) -> Result<Vec<Root>, HistoryError> {
        self.catalogue().roots(server).await
    }

    /// Replaces them; who is connected to the server tells it.
    pub async fn set_roots(&self, server: Uuid, roots: &[Root]) -> Result<(), HistoryError> {
        self.catalogue().set_roots(server, roots).await?;
        self.bump();
        Ok(())
    }

    /// Begins a session: makes its file, takes its lock, starts its recorder.
    pub async fn record(
        &self,
        new: NewSession,
        secrets: KnownSecrets,
    ) -> Result<Recording, HistoryError> {
        self.record_by(Clock::start(), new, secrets).await
    }

    async fn record_by(
        &self,
        clock: Clock,
        new: NewSession,
        secrets: KnownSecrets,
    ) -> Result<Recording, HistoryError> {
        let mut meta = Meta {
            id: new.id,
            server: new.server,
            server_name: new.server_name,
            number: 0,
            name: None,
            origin: new.origin,
            made_by: None,
            config: new.config,
            previous: new.previous,
            started_us: clock.now_us(),
            ended_us: None,
            owner_gone: false,
            sparse: false,
            pinned: false,
            tags: Vec::new(),
            imported_from: None,
        };
        let file = self.begin_file(&mut meta).await?;
        let recording = recorder::start(self, meta, file, (clock, secrets, new.on_loss));
        self.bump();
        Ok(recording)
    }

    /// Counts up when the catalogue changed, here or in another process.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.inner.changes.subscribe()
    }

    /// How many sessions this process records now.
    pub fn recording(&self) -> usize {
        self.live().lock().len()
    }

    /// How the recorders of this process do.
    pub fn pace(&self) -> Pace {
        self.metrics().pace()
    }

    fn metrics(&self) -> &Metrics {
        &self.inner.metrics
    }

    /// Makes the file of a session, its number and its lock.
    async fn begin_file(&self, meta: &mut Meta) -> Result<(Lock, Writer), HistoryError> {
        let (path, lock_path) = (self.session_path(meta.id), self.lock_path(meta.id));
        if path.exists() {
            return Err(HistoryError::Exists(meta.id));
        }
        // First the lock: whoever sees the session must see that it has an owner.
        let lock = Lock::take(&lock_path).map_err(error::file("lock the session", &lock_path))?;
        let lock = lock.ok_or(HistoryError::Exists(meta.id))?;
        meta.number = self.catalogue().begin(meta).await?;
        match file::create(&path, meta).await {
            Ok(conn) => Ok((lock, Writer::new(conn))),
            Err(error) => {
                // What was begun is no session, and where it cannot be removed it is passed over.
                let _ = std::fs::remove_file(&path);
                self.catalogue().forget(meta.id).await?;
                lock.release();
                Err(error)
            }
        }
    }

    /// Ends a file: says in it and in the catalogue that it is over, makes one file of it, gives its lock back.
    async fn end_file(
        &self,
        lock: Lock,
        mut writer: Writer,
        meta: &Meta,
    ) -> Result<(), HistoryError> {
        let path = self.session_path(meta.id);
        let meta = self.with_labels(meta).await;
        meta.write(writer.connection())
            .await
            .map_err(error::database("end the session file", &path))?;
        let tally = writer.tally().clone();
        let readers = self.readers().lock().await;
        let seal = file::seal(writer.into_connection(), &path);
        match readers.get(&meta.id).and_then(Weak::upgrade) {
            Some(shared) => shared.closed_while(seal).await?,
            None => seal.await?,
        }
        drop(readers);
        self.catalogue()
            .update(meta.id, &tally, meta.ended_us, meta.owner_gone)
            .await?;
        lock.release();
        self.bump();
        Ok(())
    }

    fn session_path(&self, id: SessionId) -> PathBuf {
        self.inner
            .dir
            .join("sessions")
            .join(format!("{id}.framescope"))
    }

    fn lock_path(&self, id: SessionId) -> PathBuf {
        self.inner.dir.join("sessions").join(format!("{id}.lock"))
    }

    fn catalogue(&self) -> &Catalogue {
        &self.inner.catalogue
    }

    fn live(&self) -> &Mutex<HashMap<SessionId, Live>> {
        &self.inner.live
    }

    fn readers(&self) -> &tokio::sync::Mutex<HashMap<SessionId, Weak<Shared>>> {
        &self.inner.readers
    }

    fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.inner.tasks.spawn(task)
    }

    fn bump(&self) {
        self.inner.changes.send_modify(|count| *count += 1);
    }
}

/// Tells when another process changed the catalogue: SQLite's `data_version` of one connection.
async fn poll(
    inner: Weak<Inner>,
    mut watcher: PoolConnection<Sqlite>,
    mut version: i64,
    stop: CancellationToken,
) {
    let mut ticks = interval(POLL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        let Ok(now) = catalogue::data_version(&mut watcher).await else {
            continue;
        };
        let Some(inner) = inner.upgrade() else { return };
        if std::mem::replace(&mut version, now) != now {
            inner.changes.send_modify(|count| *count += 1);
        }
    }
}
