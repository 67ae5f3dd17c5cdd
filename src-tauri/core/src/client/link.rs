//! A client's side of one wire: sends requests, resolves their callers, and ends with the wire.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Notify, oneshot, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::connect::Dial;
use super::draft::{Composed, Draft, Manner, compose, notification};
use super::params::{NotCallable, ParamHeaders};
use super::pending::{Attempt, Pending, Waiting};
use super::waits::About;
use super::{Call, ClientError, Negotiated, Outcome, mirror};
use crate::protocol::{Era, RequestId, Revision, ServerConfig};
use crate::record::{Closed, Conn, EndReason, Event, Note, Seq, StoppedBy, Tap};
use crate::transport::{CloseReason, HttpError, Outbound, SeqSlot, TransportError, Writer};

/// How long to wait for the end of the wire after a write that failed: it tells more than the failed write.
const AFTER_FAILED_WRITE: Duration = Duration::from_secs(2);

/// Ids of requests: integers from 1, never used twice in a session.
#[derive(Clone, Debug)]
pub(super) struct Ids(Arc<AtomicU64>);

impl Default for Ids {
    fn default() -> Self {
        Self(Arc::new(AtomicU64::new(1)))
    }
}

impl Ids {
    pub(super) fn next(&self) -> RequestId {
        RequestId::from_raw(self.0.fetch_add(1, Ordering::Relaxed).to_string())
    }

    pub(super) fn peek(&self) -> RequestId {
        RequestId::from_raw(self.0.load(Ordering::Relaxed).to_string())
    }
}

/// How long a request waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// For a sign of life; for ever where missing.
    pub(super) timeout: Option<Duration>,
    /// Altogether.
    pub(super) total: Duration,
}

/// A client's side of one wire.
#[derive(Debug)]
pub(super) struct Link {
    /// What all wires of the session share.
    pub(super) dial: Arc<Dial>,
    /// What it was opened with.
    pub(super) config: ServerConfig,
    pub(super) conn: Conn,
    pub(super) writer: Writer,
    pub(super) one_line: bool,
    pub(super) pending: Mutex<Pending>,
    /// A deadline came that may be earlier than all others.
    pub(super) wake: Notify,
    pub(super) negotiated: OnceLock<Arc<Negotiated>>,
    pub(super) closed: watch::Sender<Option<Arc<CloseReason>>>,
    /// The wire that took this one's place.
    pub(super) next: OnceLock<Arc<Link>>,
    /// A request was answered since this wire took another one's place, if it did.
    pub(super) proven: AtomicBool,
    pub(super) params: ParamHeaders,
}

/// How a wire ended whose end nobody could tell.
pub(super) fn gone() -> CloseReason {
    let closed = Closed {
        reason: EndReason::Internal,
        by: StoppedBy::App,
        code: None,
        signal: None,
        text: Some("this app failed".to_owned()),
        lived_us: 0,
    };
    CloseReason {
        closed,
        last_stderr: String::new(),
    }
}

impl Link {
    /// A client's side of a wire whose era is not settled.
    pub(super) fn new(dial: Arc<Dial>, config: ServerConfig, conn: Conn, writer: Writer) -> Self {
        Self {
            one_line: matches!(config, ServerConfig::Stdio { .. }),
            pending: Mutex::new(Pending::telling(dial.waits.clone())),
            dial,
            config,
            conn,
            writer,
            wake: Notify::new(),
            negotiated: OnceLock::new(),
            closed: watch::Sender::new(None),
            next: OnceLock::new(),
            proven: AtomicBool::new(true),
            params: ParamHeaders::default(),
        }
    }

    /// The wire that is used now: this one, or what took its place.
    pub(super) fn latest(self: &Arc<Self>) -> Arc<Self> {
        let mut link = self;
        while let Some(next) = link.next.get() {
            link = next;
        }
        Arc::clone(link)
    }

    /// How messages are made here.
    pub(super) fn manner(&self) -> Manner {
        let revision = self
            .negotiated
            .get()
            .map_or(Revision::LATEST_LEGACY, |negotiated| negotiated.revision);
        Manner {
            revision,
            one_line: self.one_line,
            answers: self.dial.how.answers,
        }
    }

    pub(super) fn tap(&self) -> &Tap {
        &self.dial.how.tap
    }

    pub(super) fn is_modern(&self) -> bool {
        self.negotiated
            .get()
            .is_some_and(|negotiated| negotiated.era == Era::Modern)
    }

    pub(super) fn closed(&self) -> Option<Arc<CloseReason>> {
        self.closed.borrow().clone()
    }

    /// Waits for the end of the wire.
    pub(super) async fn gone(&self) -> Arc<CloseReason> {
        let mut closed = self.closed.subscribe();
        match closed
            .wait_for(Option::is_some)
            .await
            .map(|closed| closed.clone())
        {
            Ok(Some(reason)) => reason,
            Ok(None) | Err(_) => Arc::new(gone()),
        }
    }

    /// What is sent for a draft. `Err`: why it must not be sent.
    pub(super) fn compose(
        &self,
        draft: &Draft,
        id: RequestId,
        manner: Manner,
    ) -> (Composed, Result<(), NotCallable>) {
        let level = *self.dial.log_level.lock();
        let mut composed = compose(draft, id, manner, &self.dial.how.choice, level);
        let modern = draft.revision.unwrap_or(manner.revision).era() == Era::Modern;
        if self.one_line || !modern || draft.method != "tools/call" {
            return (composed, Ok(()));
        }
        match self.params.of_call(draft.params.as_deref()) {
            Ok(headers) => {
                let typed = |name: &str| {
                    let mut users = draft.headers.iter();
                    users.any(|(user, _)| user.eq_ignore_ascii_case(name))
                };
                let headers = headers.into_iter().filter(|(name, _)| !typed(name));
                composed.headers.extend(headers);
                (composed, Ok(()))
            }
            Err(not_callable) => {
                composed.problem = Some(format!("it must not be called: {}", not_callable.why));
                (composed, Err(not_callable))
            }
        }
    }

    /// Sends a request and begins to wait for its answer, whatever it says.
    pub(super) async fn call(
        self: &Arc<Self>,
        draft: &Draft,
        manner: Manner,
        limits: Limits,
    ) -> Result<Call, ClientError> {
        let (tell, told) = oneshot::channel();
        let sent = self.send(draft, manner, limits, None, tell).await;
        let seq = sent.map_err(|(error, _)| error)?;
        Ok(Call::new(Arc::clone(self), seq, told))
    }

    /// Makes a call: the request, and what its answers ask to be sent besides.
    pub(super) async fn ask(self: &Arc<Self>, draft: &Draft) -> Result<Call, ClientError> {
        let (tell, told) = oneshot::channel();
        let attempt = Attempt {
            draft: draft.clone(),
            first: SeqSlot::default(),
            again: false,
            rounds: 0,
        };
        let (manner, limits) = (self.manner(), self.limits(draft));
        let sent = self.send(draft, manner, limits, Some(attempt), tell).await;
        let seq = sent.map_err(|(error, _)| error)?;
        Ok(Call::new(Arc::clone(self), seq, told))
    }

    /// How long the request of a draft waits.
    pub(super) fn limits(&self, draft: &Draft) -> Limits {
        let timeout = draft.timeout.unwrap_or(self.dial.how.timeout);
        Limits {
            timeout: Some(timeout),
            total: draft.total.unwrap_or(self.dial.how.total.max(timeout)),
        }
    }

    /// Sends a request. Where it cannot be sent, `tell` comes back with the error.
    pub(super) async fn send(
        self: &Arc<Self>,
        draft: &Draft,
        manner: Manner,
        limits: Limits,
        attempt: Option<Attempt>,
        tell: oneshot::Sender<Outcome>,
    ) -> Result<Seq, (ClientError, oneshot::Sender<Outcome>)> {
        let (composed, allowed) = self.compose(draft, self.dial.ids.next(), manner);
        if let Err(NotCallable { tool, why }) = allowed {
            return Err((ClientError::NotCallable { tool, why }, tell));
        }
        let Composed {
            bytes,
            headers,
            id,
            progress_token,
            ..
        } = composed;
        let first = attempt.as_ref().map(|attempt| Arc::clone(&attempt.first));
        let about = first.as_ref().and_then(|first| first.get().copied());
        // The first request of a call fills the slot by which its caller names it.
        let seq = first.filter(|_| about.is_none()).unwrap_or_default();
        let abort = CancellationToken::new();
        let waiting = Waiting {
            method: draft.method.clone(),
            about: About::of(&draft.method, draft.params.as_deref()),
            seq: Arc::clone(&seq),
            abort: abort.clone(),
            progress_token,
            timeout: limits.timeout,
            total: limits.total,
            tell,
            stray: None,
            clock: None,
            attempt: attempt.map(Box::new),
        };
        let refused = self.pending.lock().insert(id.clone(), waiting);
        if let Some(refused) = refused {
            return Err((self.too_late(&draft.method).await, refused.tell));
        }
        let mut forget = Forget {
            link: self,
            id: Some(id.clone()),
        };
        let out = Outbound {
            raw: bytes,
            headers,
            abort,
            about,
            seq,
        };
        let patience = limits.timeout.unwrap_or(limits.total);
        let seq = match self.put(&draft.method, out, patience).await {
            Ok(seq) => seq,
            Err(error) => {
                let waiting = forget
                    .id
                    .take()
                    .and_then(|id| self.pending.lock().take(&id));
                let tell = waiting.map_or_else(|| oneshot::channel().0, |waiting| waiting.tell);
                return Err((error, tell));
            }
        };
        forget.id = None;
        if let Some(revision) = draft
            .revision
            .filter(|revision| *revision != self.manner().revision)
        {
            let revision = revision.as_str().to_owned();
            self.note(Note::Revision { revision }, Some(seq)).await;
        }
        if self.pending.lock().start(&id, Instant::now()) {
            self.wake.notify_one();
        }
        Ok(seq)
    }

    /// Sends a notification.
    pub(super) async fn notify(
        &self,
        method: &str,
        params: Option<&str>,
    ) -> Result<Seq, ClientError> {
        let out = Outbound {
            headers: mirror::of_notification(method, self.manner()),
            ..Outbound::new(notification(method, params, self.one_line))
        };
        self.put(method, out, self.dial.how.timeout).await
    }

    /// Queues a message until it is in the log, but not for ever: the server may not read its input.
    pub(super) async fn put(
        &self,
        what: &str,
        out: Outbound,
        patience: Duration,
    ) -> Result<Seq, ClientError> {
        match tokio::time::timeout(patience, self.writer.send(out)).await {
            Ok(Err(TransportError::Closed)) => Err(self.too_late(what).await),
            Ok(sent) => Ok(sent?),
            Err(_) => Err(ClientError::NotRead {
                method: what.to_owned(),
                after: patience,
            }),
        }
    }

    /// The wire ended before a message could be sent: how it ended says more than that nothing was sent.
    pub(super) async fn too_late(&self, method: &str) -> ClientError {
        ClientError::Closed {
            method: method.to_owned(),
            reason: self.gone().await,
        }
    }

    /// More time for a request.
    pub(super) async fn extend(&self, seq: Seq, by: Duration) -> bool {
        let found = self.pending.lock().extend(seq, by);
        if found {
            let by_ms = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
            self.note(Note::Extended { by_ms }, Some(seq)).await;
        }
        found
    }

    /// Gives a request up on behalf of the user.
    pub(super) async fn cancel(&self, seq: Seq) -> bool {
        let found = self.pending.lock().take_call(seq);
        let Some((id, waiting)) = found else {
            let asked = self.dial.inputs.withdraw(seq);
            if asked {
                self.note(Note::Cancelled, Some(seq)).await;
            }
            return asked || self.cancel_raw(seq).await;
        };
        self.unlisten(&waiting);
        let sent = waiting.seq.get().copied().or(Some(seq));
        self.note(Note::Cancelled, sent).await;
        let whom = (&id, waiting.method.as_str(), &waiting.abort);
        self.tell_server(whom, "cancelled by the user");
        // Nobody may be waiting: the outcome is in the log as well.
        let _ = waiting.tell.send(Outcome::Cancelled);
        true
    }

    /// Gives up the requests that have run out of time, as long as the wire lives.
    pub(super) async fn keep_time(&self) {
        loop {
            let next = self.pending.lock().plan();
            let due = async {
                match next {
                    Some(deadline) => tokio::time::sleep_until(deadline).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = due => self.expire().await,
                () = self.wake.notified() => {}
                _ = self.gone() => return,
            }
        }
    }

    async fn expire(&self) {
        let now = Instant::now();
        let expired = self.pending.lock().expired(now);
        for (id, waiting) in expired {
            let seq = waiting.seq.get().copied();
            let clock = waiting.clock;
            if clock.is_some_and(|clock| clock.unwritten) {
                self.note(Note::Unanswered { why: None }, seq).await;
                let mut reason = gone();
                reason.closed.by = StoppedBy::Server;
                reason.closed.reason = EndReason::Failed;
                reason.closed.text =
                    Some("the server closed its input, so the message was not sent".to_owned());
                let _ = waiting.tell.send(Outcome::Closed(Arc::new(reason)));
                continue;
            }
            let after = clock.map_or(Duration::ZERO, |clock| now - clock.since);
            let after_ms = u64::try_from(after.as_millis()).unwrap_or(u64::MAX);
            self.note(Note::TimedOut { after_ms }, seq).await;
            let whom = (&id, waiting.method.as_str(), &waiting.abort);
            self.tell_server(whom, "timed out");
            // To the millisecond, as the note says it.
            let after = Duration::from_millis(after_ms);
            let _ = waiting.tell.send(Outcome::TimedOut { after });
        }
    }

    /// Tells the server that a request was given up (utilities/cancellation; never `initialize`). A modern one over HTTP
    /// learns it from the end of the exchange; in the legacy era that is no cancellation, and the late answer is awaited.
    pub(super) fn tell_server(
        &self,
        (id, method, abort): (&RequestId, &str, &CancellationToken),
        reason: &str,
    ) {
        let modern = self.is_modern() || method == "server/discover";
        let by_stream = !self.one_line && modern;
        if method == "initialize" || by_stream {
            return abort.cancel();
        }
        let params = format!(r#"{{"requestId":{id},"reason":"{reason}"}}"#);
        let raw = notification("notifications/cancelled", Some(&params), self.one_line);
        // It is a courtesy: where the server reads nothing, it would not read this either.
        let _ = self.writer.post(Outbound::new(raw));
    }

    /// The HTTP exchange of a message is over. A request that still waits gets no answer any more.
    pub(super) async fn over(self: &Arc<Self>, via: Seq, error: TransportError) {
        if matches!(error, TransportError::Http(HttpError::Aborted)) {
            // We end an exchange where its caller knows why, or with the wire, whose end says why.
            return;
        }
        let found = self.pending.lock().take_sent(via);
        let Some((_, mut waiting)) = found else {
            return self.over_raw(via, &error).await;
        };
        // That the session is gone says more than the words in which the server says it.
        let decisive = matches!(
            error,
            TransportError::Http(HttpError::SessionLost { .. } | HttpError::SignIn { .. })
        );
        let outcome = match waiting.stray.take().filter(|_| !decisive) {
            Some(stray) => stray,
            None => {
                let why = Some(error.to_string());
                self.note(Note::Unanswered { why }, Some(via)).await;
                Outcome::Failed(error)
            }
        };
        self.tell(waiting, outcome);
    }

    /// A message could not be written.
    pub(super) fn unwritten(&self, seq: Seq) {
        self.pending
            .lock()
            .unwritten(seq, Instant::now(), AFTER_FAILED_WRITE);
        self.wake.notify_one();
    }

    /// The wire has ended: what is left without an answer is noted, then the end is logged, then callers learn of it.
    pub(super) async fn end(&self, reason: CloseReason) {
        let (left, raw) = {
            let mut pending = self.pending.lock();
            (pending.close(), pending.close_raw())
        };
        let slots = left.iter().map(|waiting| &waiting.seq);
        let slots = slots.chain(raw.iter().map(|raw| &raw.seq));
        let mut seqs: Vec<_> = slots.filter_map(|slot| slot.get().copied()).collect();
        seqs.sort_unstable();
        for seq in seqs {
            self.note(Note::Unanswered { why: None }, Some(seq)).await;
        }
        self.dial.inputs.clear();
        let logged = self
            .tap()
            .event(self.conn, Event::Closed(reason.closed.clone()), None, None)
            .await;
        if let Err(lost) = logged {
            tracing::warn!("the end of a connection is not in the log: {lost}");
        }
        let reason = Arc::new(reason);
        for waiting in left {
            let _ = waiting.tell.send(Outcome::Closed(Arc::clone(&reason)));
        }
        self.closed.send_replace(Some(reason));
    }

    /// Logs what we did. Where it cannot be logged the wire ends, since nothing may happen unrecorded.
    pub(super) async fn note(&self, note: Note, about: Option<Seq>) {
        if let Err(lost) = self
            .tap()
            .event(self.conn, Event::Note(note), None, about)
            .await
        {
            self.writer.close(StoppedBy::App, Some(lost.to_string()));
        }
    }
}

/// Stops waiting for a request that was not sent after all.
struct Forget<'a> {
    link: &'a Link,
    id: Option<RequestId>,
}

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        if let Some(id) = &self.id {
            self.link.pending.lock().take(id);
        }
    }
}
