//! The sending side of a wire: a queue into its writer task, and the switch that ends the wire.

use std::sync::{Arc, OnceLock};

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::{Outbound, TransportError};
use crate::record::{EndReason, Recorded, Seq, StoppedBy};

/// Messages that may wait for the writer task.
const QUEUE: usize = 256;

/// What the writer task is asked to do.
#[derive(Debug)]
pub(super) enum Job {
    /// Log, then write. The answer comes once it is logged; where nobody waits for it any more, neither is done.
    Send(Outbound, oneshot::Sender<Result<Seq, TransportError>>),
    /// Log, then write; nobody waits.
    Post(Outbound),
    /// Write what is already logged.
    Relay(Recorded),
}

/// Why this side ends a wire.
#[derive(Clone, Debug)]
pub(super) struct Ending {
    pub(super) by: StoppedBy,
    pub(super) reason: EndReason,
    pub(super) text: Option<String>,
}

/// The switch that ends a wire; the first to use it tells why.
#[derive(Clone, Debug, Default)]
pub(super) struct Switch {
    why: Arc<OnceLock<Ending>>,
    token: CancellationToken,
}

impl Switch {
    pub(super) fn end(&self, ending: Ending) {
        if self.why.set(ending).is_ok() {
            self.token.cancel();
        }
    }

    pub(super) fn why(&self) -> Option<&Ending> {
        self.why.get()
    }

    /// Waits until somebody ends the wire.
    pub(super) async fn ended(&self) {
        self.token.cancelled().await;
    }
}

/// Queues into a wire's writer task.
#[derive(Clone, Debug)]
pub struct Writer {
    jobs: mpsc::Sender<Job>,
    switch: Switch,
}

impl Writer {
    pub(super) fn new() -> (Self, mpsc::Receiver<Job>, Switch) {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let switch = Switch::default();
        (
            Self {
                jobs,
                switch: switch.clone(),
            },
            queue,
            switch,
        )
    }

    /// Logs a message, then writes it. Returns its number as soon as it is logged. Dropped before, nothing is sent.
    ///
    /// # Errors
    /// Where it is neither logged nor sent. A write that fails later comes as [`super::Inbound::Ended`].
    pub async fn send(&self, out: Outbound) -> Result<Seq, TransportError> {
        let (logged, answer) = oneshot::channel();
        self.jobs
            .send(Job::Send(out, logged))
            .await
            .map_err(|_| TransportError::Closed)?;
        answer.await.unwrap_or(Err(TransportError::Closed))
    }

    /// Queues a message without waiting: for whoever must go on reading.
    ///
    /// # Errors
    /// Where the queue is full or the wire closed.
    pub fn post(&self, out: Outbound) -> Result<(), TransportError> {
        self.jobs
            .try_send(Job::Post(out))
            .map_err(|refused| match refused {
                mpsc::error::TrySendError::Full(_) => TransportError::Congested { waiting: QUEUE },
                mpsc::error::TrySendError::Closed(_) => TransportError::Closed,
            })
    }

    /// Writes a frame that came from another wire of the session; it is not logged again.
    ///
    /// # Errors
    /// Where the wire is closed.
    pub async fn relay(&self, frame: Recorded) -> Result<(), TransportError> {
        self.jobs
            .send(Job::Relay(frame))
            .await
            .map_err(|_| TransportError::Closed)
    }

    /// Begins to end the wire, as the spec says for its transport. [`super::Inbound::Closed`] tells when it is done.
    pub fn close(&self, by: StoppedBy, text: Option<String>) {
        self.switch.end(Ending {
            by,
            reason: EndReason::Closed,
            text,
        });
    }
}
