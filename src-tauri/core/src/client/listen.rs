//! What a server says unasked: notifications for whoever wants to act on them, and the subscriptions of the modern era
//! (2026-07-28 basic/patterns/subscriptions).

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use tokio::sync::broadcast;

use super::draft::Draft;
use super::json::Members;
use super::link::{Limits, Link};
use super::pending::Waiting;
use super::{Call, Client, ClientError};
use crate::protocol::RequestId;
use crate::record::{Note, Seq};

const LISTEN: &str = "subscriptions/listen";
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// A notification of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its method.
    pub method: String,
    /// The record that holds it.
    pub seq: Seq,
    /// The subscription that it belongs to: the id of the `subscriptions/listen` request.
    pub subscription: Option<RequestId>,
    /// The whole message, to the byte.
    pub raw: Bytes,
}

impl Client {
    /// Notifications from now on. A slow listener loses the oldest ones; the log has them all.
    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        self.latest().dial.notices.subscribe()
    }

    /// Opens a subscription; `filter` is its `notifications` member as JSON text. It stays open, without a time-out, until it
    /// is cancelled or the server ends it; a new connection of the session asks for it again.
    ///
    /// # Errors
    /// Where it is not sent.
    pub async fn listen(&self, filter: &str) -> Result<Call, ClientError> {
        let draft = Draft::new(LISTEN, Some(format!(r#"{{"notifications":{filter}}}"#)));
        self.latest().keep_listening(draft).await
    }
}

/// An open subscription.
#[derive(Debug)]
pub(super) struct Listening {
    /// Its request, once that is sent.
    seq: Arc<OnceLock<Seq>>,
    draft: Draft,
}

impl Link {
    /// Asks for what was open on an earlier wire.
    pub(super) async fn listen_again(self: &Arc<Self>) {
        if !self.is_modern() {
            self.subscribe_again().await;
        }
        let before = std::mem::take(&mut *self.dial.listening.lock());
        for Listening { draft, .. } in before {
            let params = draft.params.clone();
            match self.keep_listening(draft).await {
                Ok(call) => self.listened_again(call, params.as_deref()),
                Err(error) => tracing::debug!("a subscription was not taken up again: {error}"),
            }
        }
    }

    /// Listens on this wire, and on those that take its place.
    async fn keep_listening(self: &Arc<Self>, draft: Draft) -> Result<Call, ClientError> {
        let seq = Arc::new(OnceLock::new());
        // Before it is sent: the acknowledgement is held against it.
        self.dial.listening.lock().push(Listening {
            seq: Arc::clone(&seq),
            draft: draft.clone(),
        });
        let sent = self.listen(&draft).await;
        match &sent {
            // Nobody else sets it.
            Ok(call) => drop(seq.set(call.seq())),
            Err(_) => self
                .dial
                .listening
                .lock()
                .retain(|open| !Arc::ptr_eq(&open.seq, &seq)),
        }
        sent
    }

    /// A subscription has ended, or was cancelled.
    pub(super) fn unlisten(&self, waiting: &Waiting) {
        if waiting.method == LISTEN {
            let seq = waiting.seq.get().copied();
            let mut listening = self.dial.listening.lock();
            listening.retain(|open| open.seq.get().copied() != seq);
        }
    }

    pub(super) async fn listen(self: &Arc<Self>, draft: &Draft) -> Result<Call, ClientError> {
        let limits = Limits {
            timeout: None,
            total: self.dial.how.timeout,
        };
        self.call(draft, self.manner(), limits).await
    }

    /// Hands a notification on. In the modern era it must name a subscription that is open, or belong to a request.
    pub(super) async fn notice(
        &self,
        method: &str,
        text: Option<&str>,
        raw: Option<&Bytes>,
        seq: Seq,
    ) {
        let subscription = text
            .filter(|text| text.contains(SUBSCRIPTION))
            .and_then(subscription);
        let mut listen = None;
        if let Some(id) = &subscription {
            listen = self.pending.lock().seq(id);
            let open = self.pending.lock().method(id) == Some(LISTEN);
            let problem = match (open, method) {
                (false, _) => Some(format!("it names the subscription {id}, which is not open")),
                (true, ACKNOWLEDGED) => text.and_then(|text| self.not_honoured(text)),
                (true, _) => None,
            };
            if let Some(text) = problem {
                self.note(Note::Deviation { text }, Some(seq)).await;
            }
        }
        if listen.is_some() || !self.is_modern() {
            self.concerns(listen, method, text, seq);
        }
        if self.dial.notices.receiver_count() > 0 {
            // Nobody may listen any more.
            let _ = self.dial.notices.send(Notice {
                method: method.to_owned(),
                seq,
                subscription,
                raw: raw.cloned().unwrap_or_default(),
            });
        }
    }

    /// What was asked for and is not acknowledged (patterns/subscriptions › Acknowledgment). Where several subscriptions are
    /// open, the one with the most in common counts.
    fn not_honoured(&self, acknowledged: &str) -> Option<String> {
        let granted = keys(acknowledged, true);
        let listening = self.dial.listening.lock();
        let missing = listening.iter().filter_map(|open| {
            let asked = keys(open.draft.params.as_deref()?, false);
            let missing = asked.into_iter().filter(|key| !granted.contains(key));
            Some(missing.collect::<Vec<_>>())
        });
        let fewest = missing
            .min_by_key(Vec::len)
            .filter(|missing| !missing.is_empty())?;
        Some(format!("the server does not offer {}", fewest.join(", ")))
    }
}

/// The members of a `notifications` filter, in a message or in params.
fn keys(text: &str, message: bool) -> Vec<String> {
    let read = || {
        let members = Members::of(text).ok()?;
        let params = if message {
            Members::of(members.get("params")?.get()).ok()?
        } else {
            members
        };
        let filter = Members::of(params.get("notifications")?.get()).ok()?;
        let wanted = filter.iter().filter(|(_, value)| value.get() != "false");
        Some(wanted.map(|(key, _)| key.to_owned()).collect())
    };
    read().unwrap_or_default()
}

fn subscription(text: &str) -> Option<RequestId> {
    let params = Members::of(text).ok()?.get("params")?;
    let meta = Members::of(params.get()).ok()?.get("_meta")?;
    let id = Members::of(meta.get()).ok()?.get(SUBSCRIPTION)?;
    Some(RequestId::from_raw(id.get()))
}
