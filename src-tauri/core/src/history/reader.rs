//! Reads a session: own, past, or another process's. Every read is short, so that no writer's log grows behind it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use parking_lot::Mutex;
use sqlx::pool::PoolConnection;
use sqlx::{Row as _, Sqlite, SqlitePool};
use tokio::sync::{RwLock, RwLockReadGuard, watch};

use super::error::{HistoryError, database};
use super::meta::Meta;
use super::types::{Row, SessionSummary};
use super::view::View;
use super::{History, codes, file, filter, follow, rows};
use crate::record::{EventKind, Seq, SessionId};

/// Reads a session: own, past, or another process's.
#[derive(Clone, Debug)]
pub struct SessionReader {
    history: History,
    pub(super) shared: Arc<Shared>,
}

/// The connections to one file, shared by all its readers in this process.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) id: SessionId,
    path: PathBuf,
    /// Closed while the file is sealed: SQLite leaves WAL mode only when nobody else has the file open.
    pool: RwLock<SqlitePool>,
    /// How the last number is heard of; made when first asked for.
    follow: Mutex<Option<watch::Receiver<Seq>>>,
    /// A log without holes, so that number and place are the same.
    dense: bool,
    started_us: i64,
}

/// A connection, and the promise that the file is not sealed meanwhile.
pub(super) struct Reading<'a> {
    pub(super) conn: PoolConnection<Sqlite>,
    _open: RwLockReadGuard<'a, SqlitePool>,
}

impl Shared {
    pub(super) async fn open(
        id: SessionId,
        path: &Path,
        follow: Option<watch::Receiver<Seq>>,
    ) -> Result<Self, HistoryError> {
        let pool = file::open_reader(path).await?;
        let mut shared = Self {
            id,
            path: path.to_owned(),
            pool: RwLock::new(pool),
            follow: Mutex::new(follow),
            dense: false,
            started_us: 0,
        };
        let meta = shared.meta().await?;
        (shared.dense, shared.started_us) = (!meta.sparse, meta.started_us);
        Ok(shared)
    }

    /// The data folder: session files stand in a folder of it.
    pub(super) fn dir(&self) -> &Path {
        let sessions = self.path.parent();
        sessions.and_then(Path::parent).unwrap_or(&self.path)
    }

    pub(super) async fn meta(&self) -> Result<Meta, HistoryError> {
        let mut reading = self.read().await?;
        let damaged = |why| HistoryError::Damaged {
            what: "the description",
            name: self.id.to_string(),
            why,
        };
        Meta::read(&mut reading.conn).await.map_err(damaged)
    }

    pub(super) async fn read(&self) -> Result<Reading<'_>, HistoryError> {
        let open = self.pool.read().await;
        let conn = open.acquire().await.map_err(self.failed())?;
        Ok(Reading { conn, _open: open })
    }

    pub(super) fn failed(&self) -> impl Fn(sqlx::Error) -> HistoryError {
        database("read the session", &self.path)
    }

    pub(super) async fn head(&self) -> Result<Seq, HistoryError> {
        let mut reading = self.read().await?;
        let head = sqlx::query_scalar::<_, i64>("select coalesce(max(seq), 0) from records");
        let head = head
            .fetch_one(&mut *reading.conn)
            .await
            .map_err(self.failed())?;
        Ok(Seq(head.unsigned_abs()))
    }

    /// Runs `seal` while no reader of this process has the file open.
    pub(super) async fn closed_while<T>(&self, seal: impl Future<Output = T>) -> T {
        let mut pool = self.pool.write().await;
        pool.close().await;
        let sealed = seal.await;
        match file::open_reader(&self.path).await {
            Ok(reopened) => *pool = reopened,
            Err(error) => tracing::warn!(%error, "readers of a session lost it"),
        }
        sealed
    }
}

impl SessionReader {
    pub(super) fn new(history: History, shared: Arc<Shared>) -> Self {
        Self { history, shared }
    }

    /// Which session.
    pub fn id(&self) -> SessionId {
        self.shared.id
    }

    /// What lists show of it.
    pub async fn summary(&self) -> Result<SessionSummary, HistoryError> {
        self.history.session(self.id()).await
    }

    /// The last record that is stored; 0 where there is none.
    pub async fn head(&self) -> Result<Seq, HistoryError> {
        self.shared.head().await
    }

    /// The last record that is stored, as it grows. Its sender goes when no more will come.
    pub fn follow(&self) -> watch::Receiver<Seq> {
        let mut follow = self.shared.follow.lock();
        let receiver = follow.get_or_insert_with(|| follow::file(&self.history, &self.shared));
        receiver.clone()
    }

    /// These rows, in that order; those that are not there are left out.
    pub async fn rows(&self, seqs: &[Seq]) -> Result<Vec<Row>, HistoryError> {
        let wanted = serde_json::Value::from_iter(seqs.iter().map(|seq| seq.0)).to_string();
        let mut reading = self.shared.read().await?;
        let found = sqlx::query(rows::SELECT)
            .bind(wanted)
            .fetch_all(&mut *reading.conn)
            .await;
        let found = found.and_then(|found| {
            found
                .iter()
                .map(rows::decode)
                .collect::<Result<Vec<_>, _>>()
        });
        let mut found = found.map_err(self.shared.failed())?;
        found.sort_unstable_by_key(|row| row.seq);
        found.dedup_by_key(|row| row.seq);
        if seqs.is_sorted_by(|a, b| a < b) {
            return Ok(found);
        }
        let place = |seq: &Seq| found.binary_search_by_key(seq, |row| row.seq).ok();
        Ok(seqs
            .iter()
            .filter_map(place)
            .filter_map(|place| found.get(place).cloned())
            .collect())
    }

    /// One row.
    pub async fn row(&self, seq: Seq) -> Result<Option<Row>, HistoryError> {
        Ok(self.rows(&[seq]).await?.pop())
    }

    /// The first answer to a request, alone or in a batch.
    pub async fn reply_to(&self, seq: Seq) -> Result<Option<Row>, HistoryError> {
        let Some(answer) = self.row(seq).await?.and_then(|row| row.answer) else {
            return Ok(None);
        };
        self.row(answer).await
    }

    /// The request that stands for this one by now: the last one by which this app sent it again, else itself.
    pub async fn sent_again(&self, seq: Seq) -> Result<Seq, HistoryError> {
        let sql =
            "select seq from records where about = ?1 and kind = ?2 order by seq desc limit 1";
        let query = sqlx::query_scalar(sql)
            .bind(int(seq.0))
            .bind(codes::REQUEST);
        Ok(self.seqs(query).await?.pop().unwrap_or(seq))
    }

    /// The notes about a record, oldest first.
    pub async fn notes_about(&self, seq: Seq) -> Result<Vec<Row>, HistoryError> {
        let sql = "select seq from records where about = ?1 and event = 5 order by seq";
        let seqs = self.seqs(sqlx::query_scalar(sql).bind(int(seq.0))).await?;
        self.rows(&seqs).await
    }

    /// The `http` records of an exchange but its comments, oldest first: request, response, end, as far as they have come.
    /// `via` is the frame that it carried to the server, or its request record where there was none.
    pub async fn exchange(&self, via: Seq) -> Result<Vec<Row>, HistoryError> {
        let sql = "select seq from records where event = 3 and via = ?1 and kind in (30, 31, 32)
                   union select seq from records where seq = ?1 and event = 3 order by seq";
        let seqs = self.seqs(sqlx::query_scalar(sql).bind(int(via.0))).await?;
        self.rows(&seqs).await
    }

    /// The last records of a kind of event, oldest first, at most `n`.
    pub async fn last(&self, event: EventKind, n: u32) -> Result<Vec<Row>, HistoryError> {
        let sql = "select seq from records where event = ?1 order by seq desc limit ?2";
        let mut seqs = self
            .seqs(sqlx::query_scalar(sql).bind(event as i64).bind(n))
            .await?;
        seqs.reverse();
        self.rows(&seqs).await
    }

    /// The bytes of a record.
    pub async fn body(&self, seq: Seq) -> Result<Bytes, HistoryError> {
        self.body_range(seq, 0, u64::MAX).await
    }

    /// Some of the bytes of a record; fewer where it ends before.
    pub async fn body_range(&self, seq: Seq, from: u64, len: u64) -> Result<Bytes, HistoryError> {
        let mut reading = self.shared.read().await?;
        let sql = "select b.body, length(b.bytes) from records r left join bodies b
                   on b.body between r.body and r.body + (r.body >= 1099511627776) * 1048575
                   where r.seq = ?1 order by b.body";
        let parts = sqlx::query_as::<_, (Option<i64>, i64)>(sql).bind(int(seq.0));
        let parts = parts
            .fetch_all(&mut *reading.conn)
            .await
            .map_err(self.shared.failed())?;
        if parts.is_empty() {
            return Err(HistoryError::NoRecord { id: self.id(), seq });
        }
        let end = from.saturating_add(len);
        let (mut out, mut offset) = (BytesMut::new(), 0);
        for (body, size) in parts {
            let (start, size) = (offset, size.unsigned_abs());
            offset += size;
            if body.is_none() || offset <= from || start >= end {
                continue;
            }
            let skip = from.saturating_sub(start);
            let take = size.min(end - start) - skip;
            let sql = "select substr(bytes, ?2, ?3) from bodies where body = ?1";
            let bytes = sqlx::query(sql)
                .bind(body)
                .bind(int(skip + 1))
                .bind(int(take));
            let bytes = bytes
                .fetch_one(&mut *reading.conn)
                .await
                .map_err(self.shared.failed())?;
            out.extend_from_slice(bytes.try_get(0).map_err(self.shared.failed())?);
        }
        Ok(out.freeze())
    }

    /// The rows that match a filter, kept up to date.
    ///
    /// # Errors
    /// [`HistoryError::Filter`] where the filter cannot be used.
    pub async fn view(&self, filter: &str) -> Result<View, HistoryError> {
        View::open(Arc::clone(&self.shared), &filter::parse(filter)?).await
    }

    async fn seqs(
        &self,
        query: sqlx::query::QueryScalar<'_, Sqlite, i64, sqlx::sqlite::SqliteArguments>,
    ) -> Result<Vec<Seq>, HistoryError> {
        let mut reading = self.shared.read().await?;
        let seqs = query
            .fetch_all(&mut *reading.conn)
            .await
            .map_err(self.shared.failed())?;
        Ok(seqs
            .into_iter()
            .map(|seq| Seq(seq.unsigned_abs()))
            .collect())
    }
}

impl Shared {
    pub(super) fn set_follow(&self, follow: watch::Receiver<Seq>) {
        *self.follow.lock() = Some(follow);
    }

    /// A log without holes, so that number and place are the same.
    pub(super) fn is_dense(&self) -> bool {
        self.dense
    }

    /// When the session began, microseconds since the epoch.
    pub(super) fn started_us(&self) -> i64 {
        self.started_us
    }
}

fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
