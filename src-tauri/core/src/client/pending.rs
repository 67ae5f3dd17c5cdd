//! Requests that wait for an answer. Resolves callers only: what the log pairs is the recorder's business.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Draft, Outcome};
use crate::protocol::RequestId;
use crate::record::Seq;
use crate::transport::SeqSlot;

/// A request that waits.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) method: String,
    /// Its number, once it is logged.
    pub(super) seq: SeqSlot,
    /// Ends its exchange over HTTP.
    pub(super) abort: CancellationToken,
    /// The token of its progress, as JSON text.
    pub(super) progress_token: Option<String>,
    /// How long to wait for a sign of life; for ever where missing.
    pub(super) timeout: Option<Duration>,
    /// How long to wait altogether.
    pub(super) total: Duration,
    pub(super) tell: oneshot::Sender<Outcome>,
    /// An error without its id that its HTTP exchange carried: the answer, unless one with the id follows.
    pub(super) stray: Option<Outcome>,
    pub(super) clock: Option<Running>,
    /// What to send again where the answer asks for it; none for what is never repeated.
    pub(super) attempt: Option<Box<Attempt>>,
}

/// One of the requests by which a call is made. Each is a frame of its own; the caller learns of the last one.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) draft: Draft,
    /// The number of the call's first request, by which its caller names it.
    pub(super) first: SeqSlot,
    /// It was sent again for a reason that holds once.
    pub(super) again: bool,
    /// Rounds of input (basic/patterns/mrtr).
    pub(super) rounds: u32,
}

impl Waiting {
    /// Whether a caller names it so.
    fn is(&self, seq: Seq) -> bool {
        let first = self
            .attempt
            .as_ref()
            .and_then(|attempt| attempt.first.get());
        self.seq.get() == Some(&seq) || first == Some(&seq)
    }
}

/// The clock of a request, which starts once it is logged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    pub(super) since: Instant,
    deadline: Instant,
    hard: Instant,
    /// It could not be written: the deadline is only there to learn why.
    pub(super) unwritten: bool,
}

/// All requests of a wire that wait.
#[derive(Debug, Default)]
pub(super) struct Pending {
    waiting: HashMap<RequestId, Waiting>,
    closed: bool,
    /// When somebody will look next whether a request has run out of time.
    planned: Option<Instant>,
}

impl Pending {
    /// Gives it back where the wire is closed: nothing can be answered any more.
    pub(super) fn insert(&mut self, id: RequestId, waiting: Waiting) -> Option<Waiting> {
        if self.closed {
            return Some(waiting);
        }
        self.waiting.insert(id, waiting);
        None
    }

    /// The method of a request that waits.
    pub(super) fn method(&self, id: &RequestId) -> Option<&str> {
        self.waiting.get(id).map(|waiting| waiting.method.as_str())
    }

    pub(super) fn take(&mut self, id: &RequestId) -> Option<Waiting> {
        self.waiting.remove(id)
    }

    /// The only request that waits.
    pub(super) fn take_only(&mut self) -> Option<Waiting> {
        let id = self
            .waiting
            .keys()
            .next()
            .filter(|_| self.waiting.len() == 1)?
            .clone();
        self.waiting.remove(&id)
    }

    pub(super) fn take_seq(&mut self, seq: Seq) -> Option<(RequestId, Waiting)> {
        let id = self.id_of(seq)?;
        self.waiting.remove_entry(&id)
    }

    /// Keeps an error that the exchange of a request carried and that names no request.
    pub(super) fn stray(&mut self, seq: Seq, outcome: Outcome) {
        let found = self.id_of(seq).and_then(|id| self.waiting.get_mut(&id));
        if let Some(waiting) = found {
            waiting.stray = Some(outcome);
        }
    }

    /// Starts the clock of a request, unless the write has failed already. True where it runs out before the next look.
    pub(super) fn start(&mut self, id: &RequestId, now: Instant) -> bool {
        if let Some(waiting) = self.waiting.get_mut(id)
            && waiting.clock.is_none()
            && let Some(timeout) = waiting.timeout
        {
            let hard = now + waiting.total;
            let deadline = (now + timeout).min(hard);
            waiting.clock = Some(Running {
                since: now,
                deadline,
                hard,
                unwritten: false,
            });
            return self.planned.is_none_or(|planned| deadline < planned);
        }
        false
    }

    /// A sign of life: the time-out of the request with that token starts again, up to its hard limit.
    pub(super) fn progress(&mut self, token: &str, now: Instant) {
        let found = self
            .waiting
            .values_mut()
            .find(|waiting| waiting.progress_token.as_deref() == Some(token));
        if let Some(Waiting {
            timeout: Some(timeout),
            clock: Some(clock),
            ..
        }) = found
            && !clock.unwritten
        {
            clock.deadline = clock.deadline.max(now + *timeout).min(clock.hard);
        }
    }

    /// More time for a request. False where it does not wait.
    pub(super) fn extend(&mut self, seq: Seq, by: Duration) -> bool {
        let found = self.id_of(seq).and_then(|id| self.waiting.get_mut(&id));
        let Some(waiting) = found else { return false };
        if let Some(clock) = &mut waiting.clock {
            clock.deadline += by;
            clock.hard += by;
        }
        true
    }

    /// The request could not be written: soon the end of the wire will tell why, or never.
    pub(super) fn unwritten(&mut self, seq: Seq, now: Instant, patience: Duration) {
        let found = self.id_of(seq).and_then(|id| self.waiting.get_mut(&id));
        if let Some(waiting) = found {
            let until = now + patience;
            waiting.clock = Some(Running {
                since: now,
                deadline: until,
                hard: until,
                unwritten: true,
            });
        }
    }

    /// When the next request runs out of time: the next look.
    pub(super) fn plan(&mut self) -> Option<Instant> {
        let clocks = self.waiting.values().filter_map(|waiting| waiting.clock);
        self.planned = clocks.map(|clock| clock.deadline).min();
        self.planned
    }

    /// Takes the requests that have run out of time, in the order in which they were sent.
    pub(super) fn expired(&mut self, now: Instant) -> Vec<(RequestId, Waiting)> {
        let late = |waiting: &mut Waiting| waiting.clock.is_some_and(|clock| clock.deadline <= now);
        let mut expired: Vec<_> = self
            .waiting
            .extract_if(|_, waiting| late(waiting))
            .collect();
        expired.sort_by_key(|(_, waiting)| waiting.seq.get().copied());
        expired
    }

    /// Takes all requests, in the order in which they were sent; no more can be added.
    pub(super) fn close(&mut self) -> Vec<Waiting> {
        self.closed = true;
        let mut left: Vec<_> = self.waiting.drain().map(|(_, waiting)| waiting).collect();
        left.sort_by_key(|waiting| waiting.seq.get().copied());
        left
    }

    fn id_of(&self, seq: Seq) -> Option<RequestId> {
        let found = self.waiting.iter().find(|(_, waiting)| waiting.is(seq));
        found.map(|(id, _)| id.clone())
    }
}
