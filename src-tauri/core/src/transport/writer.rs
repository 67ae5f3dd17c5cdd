//! The sending side of a wire: a queue into its writer task, and the switch that ends the wire. While the task waits for work,
//! a caller does it in its place, which saves the way to another task and back.

use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, OnceLock, Weak};

use parking_lot::Mutex;
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
    /// Write what is already logged, from this byte on.
    Logged(Recorded, Outbound, usize),
}

/// What the writer task works with lies here while the task waits for work.
pub(super) struct Desk<T>(Mutex<Option<T>>);

impl<T> Desk<T> {
    pub(super) fn new(tool: T) -> Self {
        Self(Mutex::new(Some(tool)))
    }

    /// For the task: waits for a job. From the moment in which it leaves the queue no caller comes before it.
    pub(super) async fn next(&self, jobs: &mut mpsc::Receiver<Job>) -> Option<(Job, T)> {
        let next = poll_fn(|context| {
            let mut tool = self.0.lock();
            jobs.poll_recv(context).map(|job| job.zip(tool.take()))
        });
        next.await
    }

    /// For the task: a job is done.
    pub(super) fn lay(&self, tool: T) {
        *self.0.lock() = Some(tool);
    }

    /// For the task: there is no more work.
    pub(super) fn clear(&self) {
        *self.0.lock() = None;
    }

    /// For a caller: does something where nothing is before it. What it cannot finish it leaves in the queue.
    pub(super) fn lend<R>(
        &self,
        jobs: &mpsc::Sender<Job>,
        work: impl FnOnce(&mut T, mpsc::Permit<'_, Job>) -> Option<R>,
    ) -> Option<R> {
        let mut tool = self.0.lock();
        let tool = tool.as_mut()?;
        let rest = jobs.try_reserve().ok()?;
        if jobs.capacity() + 1 < jobs.max_capacity() {
            return None;
        }
        work(tool, rest)
    }
}

/// Sends in the caller's own task.
pub(super) trait Direct: Send + Sync {
    /// Logs and writes a message as the task would; `None` where it must go through the task, and nothing was done.
    fn send(
        self: Arc<Self>,
        jobs: &mpsc::Sender<Job>,
        out: &Outbound,
    ) -> Option<Result<Seq, TransportError>>;
}

impl fmt::Debug for dyn Direct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Direct")
    }
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
    direct: Option<Weak<dyn Direct>>,
}

impl Writer {
    pub(super) fn new() -> (Self, mpsc::Receiver<Job>, Switch) {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let switch = Switch::default();
        (
            Self {
                jobs,
                switch: switch.clone(),
                direct: None,
            },
            queue,
            switch,
        )
    }

    /// The same where callers may do the task's work.
    pub(super) fn with<D: Direct + 'static>(self, direct: &Arc<D>) -> Self {
        let direct: Weak<dyn Direct> = Arc::downgrade(direct) as _;
        Self {
            direct: Some(direct),
            ..self
        }
    }

    /// Logs a message, then writes it. Returns its number as soon as it is logged. Dropped before, nothing is sent.
    ///
    /// # Errors
    /// Where it is neither logged nor sent. A write that fails later comes as [`super::Inbound::Ended`].
    pub async fn send(&self, out: Outbound) -> Result<Seq, TransportError> {
        let direct = self.direct.as_ref().and_then(Weak::upgrade);
        if let Some(done) = direct.and_then(|direct| direct.send(&self.jobs, &out)) {
            return done;
        }
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
            .send(Job::Logged(frame, Outbound::default(), 0))
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
