//! Reads a session: own, past, or another process's.
use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::watch;

use super::{HistoryError, Row, SessionSummary, View};
use crate::record::{EventKind, Seq, SessionId};

/// Reads a session: own, past, or another process's.
#[derive(Clone, Debug)]
pub struct SessionReader {
    id: SessionId,
    head: Arc<watch::Sender<Seq>>,
}

#[allow(clippy::unused_async, reason = "bodies follow")]
impl SessionReader {
    fn none<T>(&self) -> Result<T, HistoryError> {
        Err(HistoryError::NoSession {
            word: self.id.to_string(),
        })
    }
    /// Which session.
    pub fn id(&self) -> SessionId {
        self.id
    }
    /// What lists show of it.
    pub async fn summary(&self) -> Result<SessionSummary, HistoryError> {
        self.none()
    }
    /// The last record that is stored; 0 where there is none.
    pub async fn head(&self) -> Result<Seq, HistoryError> {
        self.none()
    }
    /// The last record that is stored, as it grows. The sender goes when no more will come.
    pub fn follow(&self) -> watch::Receiver<Seq> {
        self.head.subscribe()
    }
    /// These rows, in that order; those that are not there are left out.
    pub async fn rows(&self, _seqs: &[Seq]) -> Result<Vec<Row>, HistoryError> {
        self.none()
    }
    /// One row.
    pub async fn row(&self, _seq: Seq) -> Result<Option<Row>, HistoryError> {
        self.none()
    }
    /// The first answer to a request.
    pub async fn reply_to(&self, _seq: Seq) -> Result<Option<Row>, HistoryError> {
        self.none()
    }
    /// The notes about a record, oldest first.
    pub async fn notes_about(&self, _seq: Seq) -> Result<Vec<Row>, HistoryError> {
        self.none()
    }
    /// The bytes of a record.
    pub async fn body(&self, _seq: Seq) -> Result<Bytes, HistoryError> {
        self.none()
    }
    /// Some of the bytes of a record; fewer where it ends before.
    pub async fn body_range(
        &self,
        _seq: Seq,
        _from: u64,
        _len: u64,
    ) -> Result<Bytes, HistoryError> {
        self.none()
    }
    /// The last records of a kind of event, oldest first.
    pub async fn last(&self, _event: EventKind, _n: u32) -> Result<Vec<Row>, HistoryError> {
        self.none()
    }
    /// The rows that match a filter, kept up to date.
    pub async fn view(&self, _filter: &str) -> Result<View, HistoryError> {
        self.none()
    }
}
