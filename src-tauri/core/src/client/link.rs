//! A client's side of one wire: sends requests, resolves their callers, and ends with the wire.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Notify, oneshot, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::draft::{Composed, Draft, Manner, compose, notification};
use super::json::Members;
use super::pending::{About, Pending, Raw, Waiting};
use super::{Call, ClientError, Negotiated, Outcome, mirror};
use crate::protocol::{Era, Kind, RequestId, Revision, envelope};
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
    fn next(&self) -> RequestId {
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
    pub(super) tap: Tap,
    pub(super) conn: Conn,
    pub(super) writer: Writer,
    pub(super) ids: Ids,
    pub(super) one_line: bool,
    /// The time-out of a request that sets none.
    pub(super) timeout: Duration,
    pub(super) pending: Mutex<Pending>,
    /// A deadline came that may be earlier than all others.
    pub(super) wake: Notify,
    pub(super) negotiated: OnceLock<Arc<Negotiated>>,
    pub(super) closed: watch::Sender<Option<Arc<CloseReason>>>,
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
    pub(super) fn new(
        tap: Tap,
        conn: Conn,
        writer: Writer,
        ids: Ids,
        one_line: bool,
        timeout: Duration,
    ) -> Self {
        Self {
            tap,
            conn,
            writer,
            ids,
            one_line,
            timeout,
            pending: Mutex::default(),
            wake: Notify::new(),
            negotiated: OnceLock::new(),
            closed: watch::Sender::new(None),
        }
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
        }
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

    /// Sends a request and begins to wait for its answer.
    pub(super) async fn call(
        self: &Arc<Self>,
        draft: &Draft,
        manner: Manner,
        limits: Limits,
    ) -> Result<Call, ClientError> {
        let composed = compose(draft, self.ids.next(), manner);
        let (call, id) = self.send(&draft.method, composed, limits).await?;
        if let Some(revision) = draft
            .revision
            .filter(|revision| *revision != manner.revision)
        {
            self.note(
                Note::Revision {
                    revision: revision.as_str().to_owned(),
                },
                Some(call.seq()),
            )
            .await;
        }
        if self.pending.lock().start(&id, Instant::now()) {
            self.wake.notify_one();
        }
        Ok(call)
    }

    async fn send(
        self: &Arc<Self>,
        method: &str,
        composed: Composed,
        limits: Limits,
    ) -> Result<(Call, RequestId), ClientError> {
        let Composed {
            bytes,
            headers,
            id,
            progress_token,
            ..
        } = composed;
        let (tell, told) = oneshot::channel();
        let (seq, abort) = (SeqSlot::default(), CancellationToken::new());
        let waiting = Waiting {
            method: method.to_owned(),
            about: About::of(method, &bytes),
            seq: Arc::clone(&seq),
            abort: abort.clone(),
            progress_token,
            timeout: limits.timeout,
            total: limits.total,
            tell,
            stray: None,
            clock: None,
        };
        let open = self.pending.lock().insert(id.clone(), waiting);
        if !open {
            return Err(self.too_late(method).await);
        }
        let mut forget = Forget {
            link: self,
            id: Some(id.clone()),
        };
        let out = Outbound {
            raw: bytes,
            headers,
            abort,
            about: None,
            seq,
        };
        let seq = self
            .put(method, out, limits.timeout.unwrap_or(limits.total))
            .await?;
        forget.id = None;
        Ok((Call::new(Arc::clone(self), seq, told), id))
    }

    /// Sends anything. What is a request is listed until it is answered.
    pub(super) async fn send_raw(&self, out: Outbound) -> Result<Seq, ClientError> {
        let what = "the message";
        let Some(raw) = self.raw_request(&out) else {
            return self.put(what, out, self.timeout).await;
        };
        let slot = Arc::clone(&raw.seq);
        if !self.pending.lock().insert_raw(raw) {
            return Err(self.too_late(what).await);
        }
        let sent = self.put(what, out, self.timeout).await;
        let mut pending = self.pending.lock();
        match &sent {
            Ok(_) => pending.logged_raw(),
            Err(_) => drop(pending.take_raw(&slot)),
        }
        sent
    }

    /// The request that a raw message is, where it is one; one of several lines is several messages on stdio.
    fn raw_request(&self, out: &Outbound) -> Option<Raw> {
        let text = std::str::from_utf8(&out.raw).ok()?;
        if self.one_line && text.trim_end().contains('\n') {
            return None;
        }
        let read = envelope(&out.raw);
        let (Kind::Request, Some(id), Some(method)) = (read.kind, read.id, read.method) else {
            return None;
        };
        Some(Raw {
            id,
            about: About::of(&method, &out.raw),
            method: method.into(),
            seq: Arc::clone(&out.seq),
            abort: out.abort.clone(),
            progress_token: progress_token(text),
        })
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
        self.put(method, out, self.timeout).await
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
    async fn too_late(&self, method: &str) -> ClientError {
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
        let found = self.pending.lock().take_seq(seq);
        let Some((id, waiting)) = found else {
            return self.cancel_raw(seq).await;
        };
        self.note(Note::Cancelled, Some(seq)).await;
        let whom = (&id, waiting.method.as_str(), &waiting.abort);
        self.tell_server(whom, "cancelled by the user");
        // Nobody may be waiting: the outcome is in the log as well.
        let _ = waiting.tell.send(Outcome::Cancelled);
        true
    }

    async fn cancel_raw(&self, seq: Seq) -> bool {
        let found = self.pending.lock().take_raw(&logged(seq));
        let Some(raw) = found else { return false };
        self.note(Note::Cancelled, Some(seq)).await;
        let whom = (&raw.id, raw.method.as_str(), &raw.abort);
        self.tell_server(whom, "cancelled by the user");
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
    fn tell_server(
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
    pub(super) async fn over(&self, via: Seq, error: TransportError) {
        let found = self.pending.lock().take_seq(via);
        let Some((_, waiting)) = found else {
            return self.over_raw(via, &error).await;
        };
        // That the session is gone says more than the words in which the server says it.
        let decisive = matches!(
            error,
            TransportError::Http(HttpError::SessionLost { .. } | HttpError::SignIn { .. })
        );
        let outcome = match waiting.stray.filter(|_| !decisive) {
            Some(stray) => stray,
            None => {
                let why = Some(error.to_string());
                self.note(Note::Unanswered { why }, Some(via)).await;
                Outcome::Failed(error)
            }
        };
        // Nobody may be waiting: what came is in the log.
        let _ = waiting.tell.send(outcome);
    }

    async fn over_raw(&self, via: Seq, error: &TransportError) {
        let found = self.pending.lock().take_raw(&logged(via));
        if found.is_some() {
            let why = Some(error.to_string());
            self.note(Note::Unanswered { why }, Some(via)).await;
        }
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
        let logged = self
            .tap
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
            .tap
            .event(self.conn, Event::Note(note), None, about)
            .await
        {
            self.writer.close(StoppedBy::App, Some(lost.to_string()));
        }
    }
}

/// The place of a message that is in the log.
fn logged(seq: Seq) -> SeqSlot {
    Arc::new(OnceLock::from(seq))
}

/// The progress token of a message as its JSON text, where it has one.
fn progress_token(message: &str) -> Option<String> {
    let params = Members::of(message).ok()?.get("params")?;
    let meta = Members::of(params.get()).ok()?.get("_meta")?;
    let token = Members::of(meta.get()).ok()?.get("progressToken")?;
    Some(token.get().to_owned())
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
