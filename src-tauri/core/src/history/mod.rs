//! The store: one SQLite file per session and a catalogue of them. Only this module touches SQLite.

pub mod filter;

mod error;
mod file;
mod reader;
mod types;
mod view;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::watch;
use uuid::Uuid;

use crate::record::{Clock, KnownSecrets, NotRecording, SessionId, Tap};

pub use error::HistoryError;
pub use reader::SessionReader;
pub use types::{
    NewSession, OnLoss, Origin, Row, Server, SessionQuery, SessionState, SessionSummary, Settled,
    Verdict,
};
pub use view::{Delta, View};

/// A data folder: the catalogue and the session files.
#[derive(Clone, Debug)]
pub struct History {
    dir: PathBuf,
    changes: Arc<watch::Sender<u64>>,
}

#[allow(clippy::unused_async, reason = "bodies follow")]
impl History {
    fn none<T>(&self) -> Result<T, HistoryError> {
        Err(HistoryError::NotASession {
            path: self.dir.clone(),
        })
    }
    /// Opens a data folder; makes it where it is missing.
    pub async fn open(dir: &Path) -> Result<Self, HistoryError> {
        Ok(Self {
            dir: dir.to_owned(),
            changes: Arc::new(watch::Sender::new(0)),
        })
    }
    /// The data folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
    /// All servers, in the order of their places.
    pub async fn servers(&self) -> Result<Vec<Server>, HistoryError> {
        self.none()
    }
    /// A server by its name or id.
    pub async fn server(&self, _name_or_id: &str) -> Result<Option<Server>, HistoryError> {
        self.none()
    }
    /// Inserts or replaces a server by its id.
    pub async fn save_server(&self, _server: &Server) -> Result<(), HistoryError> {
        self.none()
    }
    /// Deletes a server; its sessions stay.
    pub async fn delete_server(&self, _id: Uuid) -> Result<(), HistoryError> {
        self.none()
    }
    /// Begins a session: makes its file, takes its lock, starts its recorder.
    pub async fn record(
        &self,
        _new: NewSession,
        _secrets: KnownSecrets,
    ) -> Result<Recording, HistoryError> {
        self.none()
    }
    /// Sessions, newest first.
    pub async fn sessions(
        &self,
        _query: &SessionQuery,
    ) -> Result<Vec<SessionSummary>, HistoryError> {
        self.none()
    }
    /// The session that a word means: an id, the beginning of one, or `last`.
    pub async fn resolve(&self, _word: &str) -> Result<SessionId, HistoryError> {
        self.none()
    }
    /// What lists show of a session.
    pub async fn session(&self, _id: SessionId) -> Result<SessionSummary, HistoryError> {
        self.none()
    }
    /// Opens a session for reading: own, past, or another process's.
    pub async fn reader(&self, _id: SessionId) -> Result<SessionReader, HistoryError> {
        self.none()
    }
    /// Writes a session as a capture file; answers how many records.
    pub async fn export(
        &self,
        _id: SessionId,
        _out: impl Write + Send,
    ) -> Result<u64, HistoryError> {
        self.none()
    }
    /// Takes in a capture or a session file. An id that is present already gets a new one.
    pub async fn import(&self, _path: &Path) -> Result<SessionId, HistoryError> {
        self.none()
    }
    /// Counts up when the catalogue changed, here or in another process.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

/// A session that this process records.
#[derive(Debug)]
pub struct Recording {
    /// Where everything goes that is to be recorded.
    pub tap: Tap,
    /// The session.
    pub id: SessionId,
    clock: Clock,
    loss: watch::Receiver<Option<NotRecording>>,
}

#[allow(clippy::unused_async, reason = "bodies follow")]
impl Recording {
    /// The clock of its records.
    pub fn clock(&self) -> Clock {
        self.clock.clone()
    }
    /// Set once, when the log cannot be written any more.
    pub fn loss(&self) -> watch::Receiver<Option<NotRecording>> {
        self.loss.clone()
    }
    /// Ends the session: waits until all is stored, ends the file, gives the lock back.
    pub async fn finish(self) -> Result<(), HistoryError> {
        Ok(())
    }
}
