//! Requests that wait for an answer. Resolves callers only: what the log pairs is the recorder's business.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::json::Members;
use super::raw::Raw;
use super::waits::{About, PendingCall};
use super::{Draft, Outcome};
use crate::protocol::RequestId;
use crate::record::{Clock, Seq};
use crate::transport::SeqSlot;

/// Whom an answer belongs to.
#[derive(Debug)]
pub(super) enum Answered {
    /// Somebody waits for it.
    Caller(Box<Waiting>),
    /// It answers a raw frame.
    Raw,
    Nobody,
}

/// A request that waits.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) method: String,
    pub(super) about: About,
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
    /// Whether it was sent as `seq`: so the wire names it.
    fn is(&self, seq: Seq) -> bool {
        self.seq.get() == Some(&seq)
    }

    /// Whether it is of the call that its caller names so, which may have been sent again since.
    fn is_of(&self, seq: Seq) -> bool {
        let first = self
            .attempt
            .as_ref()
            .and_then(|attempt| attempt.first.get());
        self.is(seq) || first == Some(&seq)
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
    /// In the order in which they were sent.
    raw: Vec<Raw>,
    /// Counts up when what waits has changed.
    changes: watch::Sender<u64>,
    closed: bool,
    /// Questions of the server that somebody is asked, and since when.
    asked: u32,
    held: Option<Instant>,
    /// When somebody will look next whether a request has run out of time.
    planned: Option<Instant>,
}

impl Pending {
    /// Nothing waits yet; `changes` counts up when that changes.
    pub(super) fn telling(changes: watch::Sender<u64>) -> Self {
        Self {
            changes,
            ..Self::default()
        }
    }

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

    /// The record of the request with an id.
    pub(super) fn seq(&self, id: &RequestId) -> Option<Seq> {
        self.waiting.get(id)?.seq.get().copied()
    }

    pub(super) fn take(&mut self, id: &RequestId) -> Option<Waiting> {
        let taken = self.waiting.remove(id);
        self.told(taken)
    }

    /// False where the wire is closed.
    pub(super) fn insert_raw(&mut self, raw: Raw) -> bool {
        if !self.closed {
            self.raw.push(raw);
        }
        !self.closed
    }

    /// A raw frame that is in the log now.
    pub(super) fn logged_raw(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Takes a raw frame that still waits.
    pub(super) fn take_raw(&mut self, seq: &SeqSlot) -> Option<Raw> {
        let place = self.raw.iter().position(|raw| match seq.get() {
            None => std::sync::Arc::ptr_eq(&raw.seq, seq),
            seq => raw.seq.get() == seq,
        })?;
        let taken = self.raw.remove(place);
        self.told(Some(taken))
    }

    /// Takes whom a response with this id answers: the request of the exchange that carried it, else the one that was sent
    /// first, as the log pairs them.
    pub(super) fn answered(&mut self, id: &RequestId, via: Option<Seq>) -> Answered {
        let of_raw = self.raw.iter().position(|raw| raw.id == *id);
        let first = of_raw.filter(|&place| {
            let raw = self.raw[place].seq.get();
            match self.waiting.get(id) {
                None => true,
                Some(waiting) => via.map_or(raw < waiting.seq.get(), |via| raw == Some(&via)),
            }
        });
        if let Some(place) = first {
            let raw = self.raw.remove(place);
            drop(self.told(Some(raw)));
            return Answered::Raw;
        }
        self.take(id).map_or(Answered::Nobody, |waiting| {
            Answered::Caller(Box::new(waiting))
        })
    }

    /// All that wait and are in the log, oldest first.
    pub(super) fn list(&self) -> Vec<PendingCall> {
        let (now, now_us) = (Instant::now(), Clock::start().now_us());
        let call = |id: &RequestId, method: &str, seq: Seq, about: &About| PendingCall {
            seq,
            id: id.clone(),
            method: method.to_owned(),
            what: about.what.clone(),
            sent_us: about.sent_us,
            deadline_us: None,
            progress: about.progress.clone(),
        };
        let waiting = self.waiting.iter().filter_map(|(id, waiting)| {
            let clock = waiting.clock.filter(|clock| !clock.unwritten)?;
            let held = self.held.is_some();
            let left = clock.deadline.saturating_duration_since(now).as_micros();
            let left = i64::try_from(left).unwrap_or(i64::MAX);
            // A call that is sent again is named by its first request.
            let first = waiting.attempt.as_ref().map(|attempt| &attempt.first);
            let first = first.and_then(|first| first.get());
            let seq = *first.or(waiting.seq.get())?;
            Some(PendingCall {
                deadline_us: (!held).then(|| now_us.saturating_add(left)),
                ..call(id, &waiting.method, seq, &waiting.about)
            })
        });
        let raw = self
            .raw
            .iter()
            .filter_map(|raw| Some(call(&raw.id, &raw.method, *raw.seq.get()?, &raw.about)));
        let mut all: Vec<_> = waiting.chain(raw).collect();
        all.sort_by_key(|call| call.seq);
        all
    }

    /// Says that something changed, where it did.
    fn told<T>(&self, changed: Option<T>) -> Option<T> {
        self.changes.send_if_modified(|count| {
            *count += u64::from(changed.is_some());
            changed.is_some()
        });
        changed
    }

    /// The only request that waits.
    pub(super) fn take_only(&mut self) -> Option<Waiting> {
        let id = self
            .waiting
            .keys()
            .next()
            .filter(|_| self.waiting.len() == 1)?
            .clone();
        self.take(&id)
    }

    /// Takes the request that was sent as `seq`, and no later one of the same call.
    pub(super) fn take_sent(&mut self, seq: Seq) -> Option<(RequestId, Waiting)> {
        let id = self.find(|waiting| waiting.is(seq))?;
        self.take_entry(&id)
    }

    /// Takes the request by which a call is made now.
    pub(super) fn take_call(&mut self, seq: Seq) -> Option<(RequestId, Waiting)> {
        let id = self.find(|waiting| waiting.is_of(seq))?;
        self.take_entry(&id)
    }

    fn take_entry(&mut self, id: &RequestId) -> Option<(RequestId, Waiting)> {
        let taken = self.waiting.remove_entry(id);
        self.told(taken)
    }

    /// Keeps an error that the exchange of a request carried and that names no request.
    pub(super) fn stray(&mut self, seq: Seq, outcome: Outcome) {
        let found = self.waiting.values_mut().find(|waiting| waiting.is(seq));
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
            self.changes.send_modify(|count| *count += 1);
            return self.planned.is_none_or(|planned| deadline < planned);
        }
        false
    }

    /// A sign of life: the time-out of the request with that token starts again, up to its hard limit.
    pub(super) fn progress(&mut self, token: &str, params: &Members<'_>, now: Instant) {
        let mut waiting = self.waiting.values_mut();
        let found = waiting.find(|waiting| waiting.progress_token.as_deref() == Some(token));
        if let Some(waiting) = found {
            waiting.about.advance(params);
            if let (Some(timeout), Some(clock)) = (waiting.timeout, &mut waiting.clock)
                && !clock.unwritten
            {
                clock.deadline = clock.deadline.max(now + timeout).min(clock.hard);
            }
        } else {
            let mut raw = self.raw.iter_mut();
            let found = raw.find(|raw| raw.progress_token.as_deref() == Some(token));
            let Some(raw) = found else { return };
            raw.about.advance(params);
        }
        self.changes.send_modify(|count| *count += 1);
    }

    /// More time for a request. False where it does not wait.
    pub(super) fn extend(&mut self, seq: Seq, by: Duration) -> bool {
        let found = self.waiting.values_mut().find(|waiting| waiting.is_of(seq));
        let Some(waiting) = found else { return false };
        if let Some(clock) = &mut waiting.clock {
            clock.deadline += by;
            clock.hard += by;
        }
        self.changes.send_modify(|count| *count += 1);
        true
    }

    /// The request could not be written: soon the end of the wire will tell why, or never.
    pub(super) fn unwritten(&mut self, seq: Seq, now: Instant, patience: Duration) {
        let found = self.waiting.values_mut().find(|waiting| waiting.is(seq));
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

    /// Somebody is asked what the server wants to know: until [`Self::release`] it is we who take the time, not the server.
    pub(super) fn hold(&mut self, now: Instant) {
        self.asked += 1;
        self.held.get_or_insert(now);
        self.changes.send_modify(|count| *count += 1);
    }

    /// One question is over. After the last one the clocks go on from where they stood.
    pub(super) fn release(&mut self, now: Instant) {
        self.asked = self.asked.saturating_sub(1);
        let Some(since) = self.held.take_if(|_| self.asked == 0) else {
            return;
        };
        for waiting in self.waiting.values_mut() {
            if let Some(clock) = waiting.clock.as_mut().filter(|clock| !clock.unwritten) {
                let by = now.saturating_duration_since(since.max(clock.since));
                clock.deadline += by;
                clock.hard += by;
            }
        }
        self.changes.send_modify(|count| *count += 1);
    }

    /// When the next request runs out of time: the next look.
    pub(super) fn plan(&mut self) -> Option<Instant> {
        let clocks = self.waiting.values().filter_map(|waiting| waiting.clock);
        let running = clocks.filter(|clock| self.held.is_none() || clock.unwritten);
        self.planned = running.map(|clock| clock.deadline).min();
        self.planned
    }

    /// Takes the requests that have run out of time, in the order in which they were sent.
    pub(super) fn expired(&mut self, now: Instant) -> Vec<(RequestId, Waiting)> {
        let held = self.held.is_some();
        let late = |waiting: &mut Waiting| {
            let running = waiting.clock.filter(|clock| !held || clock.unwritten);
            running.is_some_and(|clock| clock.deadline <= now)
        };
        let mut expired: Vec<_> = self
            .waiting
            .extract_if(|_, waiting| late(waiting))
            .collect();
        expired.sort_by_key(|(_, waiting)| waiting.seq.get().copied());
        self.told((!expired.is_empty()).then_some(expired))
            .unwrap_or_default()
    }

    /// Takes all raw frames that still wait.
    pub(super) fn close_raw(&mut self) -> Vec<Raw> {
        std::mem::take(&mut self.raw)
    }

    /// Takes all requests, in the order in which they were sent; no more can be added.
    pub(super) fn close(&mut self) -> Vec<Waiting> {
        self.closed = true;
        self.changes.send_modify(|count| *count += 1);
        let mut left: Vec<_> = self.waiting.drain().map(|(_, waiting)| waiting).collect();
        left.sort_by_key(|waiting| waiting.seq.get().copied());
        left
    }

    fn find(&self, wanted: impl Fn(&Waiting) -> bool) -> Option<RequestId> {
        let found = self.waiting.iter().find(|(_, waiting)| wanted(waiting));
        found.map(|(id, _)| id.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(timeout: u64) -> Waiting {
        Waiting {
            method: "tools/call".into(),
            about: About::default(),
            seq: SeqSlot::default(),
            abort: CancellationToken::new(),
            progress_token: None,
            timeout: Some(Duration::from_secs(timeout)),
            total: Duration::from_secs(100),
            tell: oneshot::channel().0,
            stray: None,
            clock: None,
            attempt: None,
        }
    }

    #[test]
    fn while_somebody_is_asked_no_time_runs() {
        let mut pending = Pending::default();
        let at = |seconds| start() + Duration::from_secs(seconds);
        let early = RequestId::from_raw("1");
        pending.insert(early.clone(), waiting(10));
        pending.start(&early, at(0));
        assert_eq!(pending.plan(), Some(at(10)));
        pending.hold(at(4));
        pending.hold(at(5));
        let during = RequestId::from_raw("2");
        pending.insert(during.clone(), waiting(10));
        pending.start(&during, at(14));
        assert_eq!(pending.plan(), None, "nobody has to look");
        assert!(pending.expired(at(50)).is_empty());
        pending.release(at(20));
        assert_eq!(pending.plan(), None, "one question is still open");
        pending.release(at(24));
        let expired = |pending: &mut Pending, seconds| {
            let expired = pending.expired(at(seconds)).into_iter();
            expired.map(|(id, _)| id).collect::<Vec<_>>()
        };
        assert_eq!(pending.plan(), Some(at(30)), "6 s were left");
        assert_eq!(expired(&mut pending, 29), vec![]);
        assert_eq!(expired(&mut pending, 30), vec![early]);
        assert_eq!(
            expired(&mut pending, 34),
            vec![during],
            "it began while somebody was asked"
        );
    }

    #[test]
    fn the_end_of_an_exchange_is_not_that_of_the_request_sent_again() {
        let mut pending = Pending::default();
        let slot = |seq| SeqSlot::new(std::sync::OnceLock::from(Seq(seq)));
        let again = Waiting {
            seq: slot(9),
            attempt: Some(Box::new(Attempt {
                draft: Draft::new("tools/call", None),
                first: slot(4),
                again: false,
                rounds: 1,
            })),
            ..waiting(10)
        };
        pending.insert(RequestId::from_raw("2"), again);
        assert!(pending.take_sent(Seq(4)).is_none(), "that one was answered");
        assert!(
            pending.extend(Seq(4), Duration::ZERO),
            "its caller names it so"
        );
        assert!(pending.take_sent(Seq(9)).is_some());
    }

    fn start() -> Instant {
        static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        *START
    }
}
