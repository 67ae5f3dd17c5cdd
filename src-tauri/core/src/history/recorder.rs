//! The recorder: a session's only writer. It drains the log channel, one transaction a batch, then says how far it is. It
//! never waits for a reader. While SQLite writes a batch, the next one is prepared.

use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::History;
use super::batch::{Batch, Preparation};
use super::error::{HistoryError, words};
use super::lock::Lock;
use super::meta::Meta;
use super::tally::Tally;
use super::types::OnLoss;
use super::writer::Writer;
use crate::record::{
    Clock, KnownSecrets, LogFailure, LogReceiver, NotRecording, Seq, SessionId, Tap, Uncommitted,
    log_channel,
};

/// Entries of one transaction at most; the channel limits its bytes.
const BATCH: usize = 1024;
/// After a batch of fewer entries than this the next one waits for more: a conversation of single calls then costs a
/// transaction every few calls and not several a call, while the first record after a silence is stored at once.
const FEW: usize = 512;
/// For so long.
const GATHER: Duration = Duration::from_millis(5);
/// The catalogue hears of a live session no more often than so.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// A session that this process records. Dropped without [`Recording::finish`], it ends when its last tap is gone.
#[derive(Debug)]
pub struct Recording {
    /// Where everything goes that is to be recorded.
    pub tap: Tap,
    /// The session.
    pub id: SessionId,
    /// What its owner does when [`Self::loss`] says that it is not recorded any more.
    pub on_loss: OnLoss,
    clock: Clock,
    loss: watch::Receiver<Option<NotRecording>>,
    stop: CancellationToken,
    task: JoinHandle<Result<(), HistoryError>>,
}

impl Recording {
    /// The clock of its records.
    pub fn clock(&self) -> Clock {
        self.clock.clone()
    }

    /// Set once, when the log cannot be written any more.
    pub fn loss(&self) -> watch::Receiver<Option<NotRecording>> {
        self.loss.clone()
    }

    /// Ends the session: stores what was logged so far, refuses what comes later, ends the file and gives its lock back.
    pub async fn finish(self) -> Result<(), HistoryError> {
        drop(self.tap);
        self.stop.cancel();
        self.task
            .await
            .unwrap_or(Err(HistoryError::RecorderDied(self.id)))
    }

    /// Dies as a killed process does: nothing is ended.
    #[cfg(test)]
    pub(super) async fn die(self) {
        self.task.abort();
        let _ = self.task.await;
    }
}

/// What other parts of this process know of a session while it is recorded here.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) head: watch::Receiver<Seq>,
    pub(super) tally: watch::Receiver<Tally>,
}

/// Starts the recorder of a file that holds nothing yet.
pub(super) fn start(
    history: &History,
    meta: Meta,
    (lock, writer): (Lock, Writer),
    (clock, secrets, on_loss): (Clock, KnownSecrets, OnLoss),
) -> Recording {
    let (tap, receiver) = log_channel(clock.clone(), secrets);
    let (loss, lost) = watch::channel(None);
    let (head, heads) = watch::channel(Seq(0));
    let (tally, tallies) = watch::channel(Tally::default());
    let (id, stop) = (meta.id, CancellationToken::new());
    history.live().lock().insert(
        id,
        Live {
            head: heads,
            tally: tallies.clone(),
        },
    );
    history.spawn(tell(history.clone(), id, tallies));
    let recorder = Recorder {
        history: history.clone(),
        meta,
        clock: clock.clone(),
        writer,
        head,
        tally,
        loss,
    };
    let task = history.spawn(recorder.run(receiver, lock, stop.clone()));
    Recording {
        tap,
        id,
        on_loss,
        clock,
        loss: lost,
        stop,
        task,
    }
}

struct Recorder {
    history: History,
    meta: Meta,
    clock: Clock,
    writer: Writer,
    head: watch::Sender<Seq>,
    tally: watch::Sender<Tally>,
    loss: watch::Sender<Option<NotRecording>>,
}

impl Recorder {
    async fn run(
        mut self,
        log: LogReceiver,
        lock: Lock,
        stop: CancellationToken,
    ) -> Result<(), HistoryError> {
        let failure = log.failure();
        let (ready, batches) = mpsc::channel(1);
        // One task, so that neither outlives the other: a recorder that dies takes both with it.
        tokio::join!(prepare(log, stop, ready), self.write(batches, &failure));
        self.meta.ended_us = Some(self.clock.now_us());
        let ended = self.history.end_file(lock, self.writer, &self.meta).await;
        self.history.live().lock().remove(&self.meta.id);
        self.history.bump();
        ended
    }

    /// Stores batches until there are no more, or until one cannot be stored.
    async fn write(
        &mut self,
        mut batches: mpsc::Receiver<(Batch, Uncommitted)>,
        failure: &LogFailure,
    ) {
        while let Some((mut batch, uncommitted)) = batches.recv().await {
            let stamps = std::mem::take(&mut batch.stamps);
            match self.writer.write(batch).await {
                Ok(last) => {
                    let now_us = self.clock.now_us();
                    self.history.metrics().committed(&stamps, now_us);
                    self.publish(last);
                }
                Err(error) => {
                    failure.fail(self.lose(&error));
                    return;
                }
            }
            drop(uncommitted);
        }
    }

    fn publish(&self, last: Option<Seq>) {
        self.tally.send_replace(self.writer.tally().clone());
        if let Some(last) = last {
            self.head.send_replace(last);
        }
    }

    fn lose(&self, error: &sqlx::Error) -> NotRecording {
        let since = Seq(self.head.borrow().0 + 1);
        let why = NotRecording {
            since,
            why: words(error),
        };
        tracing::warn!(id = %self.meta.id, "{why}");
        self.loss.send_replace(Some(why.clone()));
        why
    }
}

/// Takes what is queued whenever the writer has begun with what was taken before, until the session ends or the writer
/// fails.
async fn prepare(
    mut log: LogReceiver,
    stop: CancellationToken,
    ready: mpsc::Sender<(Batch, Uncommitted)>,
) {
    let mut preparation = Preparation::default();
    let mut entries = Vec::new();
    while let Ok(place) = ready.reserve().await {
        let received = tokio::select! {
            received = log.recv_many(&mut entries, BATCH) => received,
            () = stop.cancelled(), if !log.is_ended() => {
                log.end();
                continue;
            }
            () = ready.closed() => return,
        };
        if received == 0 {
            return;
        }
        let batch = preparation.batch(&mut entries).await;
        place.send((batch, log.uncommitted()));
        if received < FEW && !log.is_ended() {
            gather(&stop).await;
        }
    }
}

/// Lets records gather, unless the session is about to end.
async fn gather(stop: &CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = sleep(GATHER) => {}
    }
}

/// Tells the catalogue how far a live session is, beside the recorder: it may have to wait for other processes.
async fn tell(history: History, id: SessionId, mut tallies: watch::Receiver<Tally>) {
    while tallies.changed().await.is_ok() {
        let tally = tallies.borrow_and_update().clone();
        if let Err(error) = history.catalogue().update(id, &tally, None, false).await {
            tracing::warn!(%error, "the catalogue is behind");
        }
        history.bump();
        sleep(TELL_EVERY).await;
    }
}
