//! Open views and their flow control: at most one unacknowledged event per view. While the page keeps up, rows ride along;
//! when it falls behind, the next event names the range only, and the page pulls what it shows. Nothing is lost: the log has it.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use framescope_core::history::{Delta, HistoryError, SessionReader, View};
use framescope_core::record::Seq;
use parking_lot::Mutex;
use tokio::sync::{Mutex as AsyncMutex, watch};
use tokio_util::sync::CancellationToken;

use crate::convert::record_row;
use crate::rows::{ErrorCode, IpcErrorRow, RecordRow, RecordsAppended};

/// Rows on one event.
pub(crate) const MOST_ROWS: usize = 500;
/// Rows that ride along where more than that came: what a page shows that follows the end.
const TAIL: usize = 100;
/// Commits that come closer together share an event.
const GATHER: Duration = Duration::from_millis(16);

/// After this long without an acknowledgement an event may have been lost.
const PATIENCE: Duration = Duration::from_secs(1);

/// Hands an event to the page.
pub(crate) type Emit = Arc<dyn Fn(RecordsAppended) + Send + Sync>;

/// The views that the page holds open.
#[derive(Debug, Default)]
pub(crate) struct Views {
    last: AtomicU32,
    open: Mutex<HashMap<u32, Arc<OpenView>>>,
}

/// A filter over a session that the page looks at.
#[derive(Debug)]
pub(crate) struct OpenView {
    reader: SessionReader,
    view: AsyncMutex<View>,
    /// How many rows the page has taken in.
    acked: watch::Sender<u64>,
    closed: CancellationToken,
}

impl Views {
    /// Opens a view and begins to tell about it; answers its number.
    pub(crate) fn open(&self, reader: SessionReader, view: View, emit: Emit) -> u32 {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let acked = watch::Sender::new(view.total() as u64);
        let open = Arc::new(OpenView {
            reader,
            view: AsyncMutex::new(view),
            acked,
            closed: CancellationToken::new(),
        });
        self.open.lock().insert(id, Arc::clone(&open));
        tauri::async_runtime::spawn(async move {
            let closed = open.closed.clone();
            let told = closed.run_until_cancelled(open.tell(id, emit)).await;
            if let Some(Err(error)) = told {
                tracing::warn!("view {id} is not told about any more: {error}");
            }
        });
        id
    }

    /// # Errors
    /// Where the page closed it, or was loaded again since.
    pub(crate) fn get(&self, id: u32) -> Result<Arc<OpenView>, IpcErrorRow> {
        let gone = || {
            IpcErrorRow::new(
                ErrorCode::NotFound,
                format!("view {id} is not open any more"),
            )
        };
        self.open.lock().get(&id).cloned().ok_or_else(gone)
    }

    pub(crate) fn close(&self, id: u32) {
        if let Some(view) = self.open.lock().remove(&id) {
            view.closed.cancel();
        }
    }

    /// The page is loaded anew and knows none of them.
    pub(crate) fn close_all(&self) {
        for (_, view) in self.open.lock().drain() {
            view.closed.cancel();
        }
    }
}

impl OpenView {
    pub(crate) async fn rows(&self, from: usize, n: usize) -> Result<Vec<RecordRow>, HistoryError> {
        let seqs = self.view.lock().await.seqs(from, n);
        self.rows_of(&seqs).await
    }

    pub(crate) async fn index_of(&self, seq: Seq) -> Option<usize> {
        self.view.lock().await.index_of(seq).ok()
    }

    pub(crate) fn ack(&self, total: u64) {
        self.acked.send_replace(total);
    }

    async fn rows_of(&self, seqs: &[Seq]) -> Result<Vec<RecordRow>, HistoryError> {
        Ok(self
            .reader
            .rows(seqs)
            .await?
            .into_iter()
            .map(record_row)
            .collect())
    }

    /// Tells the page what is new until the session ends and the page knows all of it.
    async fn tell(&self, id: u32, emit: Emit) -> Result<(), HistoryError> {
        let mut follow = self.reader.follow();
        let mut acked = self.acked.subscribe();
        let mut news = News::default();
        let mut waiting: Option<Told> = None;
        let mut grows = true;
        // What was committed between the making of the view and here.
        news.add(self.view.lock().await.refresh().await?);
        loop {
            if waiting.is_none() && news.any() {
                let event = self.event(id, std::mem::take(&mut news)).await?;
                waiting = Some(Told {
                    first: event.first,
                    total: event.total,
                    patience: PATIENCE,
                });
                emit(event);
            }
            if !grows && waiting.is_none() {
                return Ok(());
            }
            tokio::select! {
                more = follow.changed(), if grows => {
                    // The sender goes with the session; what it committed last is taken in below.
                    grows = more.is_ok();
                    tokio::time::sleep(GATHER).await;
                    follow.mark_unchanged();
                    news.add(self.view.lock().await.refresh().await?);
                }
                ack = acked.changed() => {
                    if ack.is_err() { return Ok(()) }
                    let taken = *acked.borrow_and_update();
                    waiting = waiting.take_if(|told| taken < told.total);
                    // The page begins to listen, and what it was told before is lost.
                    if let Some(told) = &waiting {
                        emit(self.range(id, told).await?);
                    }
                }
                () = silence(waiting.as_ref()) => if let Some(told) = &mut waiting {
                    told.patience = (told.patience * 2).min(PATIENCE * 60);
                    emit(self.range(id, told).await?);
                },
            }
        }
    }

    /// The range of an event that got lost, e.g. because the page did not listen yet. The page pulls what it lacks.
    async fn range(&self, id: u32, told: &Told) -> Result<RecordsAppended, HistoryError> {
        Ok(RecordsAppended {
            view: id,
            total: told.total,
            log_total: self.reader.head().await?.0,
            first: told.first,
            rows: vec![],
            changed: vec![],
            reset: false,
        })
    }

    async fn event(&self, id: u32, news: News) -> Result<RecordsAppended, HistoryError> {
        let (total, fresh) = {
            let view = self.view.lock().await;
            let fresh = view.total().saturating_sub(news.first);
            // Of a flood the end rides along: pulled, it would have moved on before it came.
            let ride = match fresh {
                _ if news.reset => 0,
                ..=MOST_ROWS => fresh,
                _ => TAIL,
            };
            (view.total(), view.seqs(view.total() - ride, ride))
        };
        let reset = news.reset || news.changed.len() > MOST_ROWS;
        let changed: Vec<_> = if reset {
            vec![]
        } else {
            news.changed.into_iter().collect()
        };
        Ok(RecordsAppended {
            view: id,
            total: total as u64,
            log_total: self.reader.head().await?.0,
            first: news.first as u64,
            rows: self.rows_of(&fresh).await?,
            changed: self.rows_of(&changed).await?,
            reset,
        })
    }
}

/// What the page was told and has not acknowledged.
#[derive(Debug)]
struct Told {
    first: u64,
    total: u64,
    /// How long to wait for it.
    patience: Duration,
}

async fn silence(told: Option<&Told>) {
    match told {
        Some(told) => tokio::time::sleep(told.patience).await,
        None => std::future::pending().await,
    }
}

/// What the page has not been told yet.
#[derive(Debug, Default)]
struct News {
    first: usize,
    total: usize,
    changed: BTreeSet<Seq>,
    reset: bool,
}

impl News {
    fn add(&mut self, delta: Delta) {
        self.first = if self.total == 0 {
            delta.first
        } else {
            self.first.min(delta.first)
        };
        self.total = delta.total;
        self.changed.extend(delta.changed);
        self.reset |= delta.reset;
    }

    fn any(&self) -> bool {
        self.total > self.first || !self.changed.is_empty() || self.reset
    }
}

#[cfg(test)]
mod tests;
