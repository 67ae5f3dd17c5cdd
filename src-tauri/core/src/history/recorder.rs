//! The recorder: a session's only writer. It drains the log channel, one transaction a batch, then says how far it is. It
//! never waits for a reader.

use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::History;
use super::error::{HistoryError, words};
use super::lock::Lock;
use super::meta::Meta;
use super::tally::Tally;
use super::types::OnLoss;
use super::writer::Writer;
use crate::record::{
    Clock, Entry, KnownSecrets, LogReceiver, NotRecording, Seq, SessionId, Tap, log_channel,
};

/// Entries of one transaction at most; the channel limits its bytes.
const BATCH: usize = 1000;
/// After a transaction of fewer entries than this the next one waits for more: a conversation of single calls then costs a
/// transaction every few calls and not several a call, while the first record after a silence is stored at once.
const FEW: usize = 100;
/// For so long.
const GATHER: Duration = Duration::from_millis(2);
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
        mut log: LogReceiver,
        lock: Lock,
        stop: CancellationToken,
    ) -> Result<(), HistoryError> {
        let mut entries = Vec::new();
        loop {
            let received = tokio::select! {
                received = log.recv_many(&mut entries, BATCH) => received,
                () = stop.cancelled(), if !log.is_ended() => {
                    log.end();
                    continue;
                }
            };
            if received == 0 {
                break;
            }
            let stamps = stamps(&entries);
            match self.writer.write(std::mem::take(&mut entries)).await {
                Ok(last) => {
                    let now_us = self.clock.now_us();
                    self.history.metrics().committed(&stamps, now_us);
                    self.publish(last);
                    if received < FEW && !log.is_ended() {
                        gather(&stop).await;
                    }
                }
                Err(error) => {
                    self.lose(&log, &error);
                    break;
                }
            }
        }
        drop(log);
        self.meta.ended_us = Some(self.clock.now_us());
        let ended = self.history.end_file(lock, self.writer, &self.meta).await;
        self.history.live().lock().remove(&self.meta.id);
        self.history.bump();
        ended
    }

    fn publish(&self, last: Option<Seq>) {
        self.tally.send_replace(self.writer.tally().clone());
        if let Some(last) = last {
            self.head.send_replace(last);
        }
    }

    fn lose(&self, log: &LogReceiver, error: &sqlx::Error) {
        let since = Seq(self.head.borrow().0 + 1);
        let why = NotRecording {
            since,
            why: words(error),
        };
        tracing::warn!(id = %self.meta.id, "{why}");
        log.fail(why.clone());
        self.loss.send_replace(Some(why));
    }
}

/// When the records among them were stamped.
fn stamps(entries: &[Entry]) -> Vec<i64> {
    let stamp = |entry: &Entry| match entry {
        Entry::Record(record) => Some(record.at_us),
        Entry::Part { .. } => None,
    };
    entries.iter().filter_map(stamp).collect()
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
