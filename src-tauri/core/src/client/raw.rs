//! Raw frames: whatever the user typed. One that is a request is listed until it is answered; nobody waits for it.

use std::sync::{Arc, OnceLock};

use serde_json::value::RawValue;
use tokio_util::sync::CancellationToken;

use super::ClientError;
use super::json::Members;
use super::link::Link;
use super::waits::About;
use crate::protocol::{Kind, RequestId, envelope};
use crate::record::{Note, Seq};
use crate::transport::{Outbound, SeqSlot, TransportError};

/// A raw frame that is a request: nobody waits for it, and it never times out.
#[derive(Debug)]
pub(super) struct Raw {
    pub(super) id: RequestId,
    pub(super) method: String,
    pub(super) seq: SeqSlot,
    pub(super) abort: CancellationToken,
    pub(super) progress_token: Option<String>,
    pub(super) about: About,
}

impl Link {
    /// Sends anything. What is a request is listed until it is answered.
    pub(super) async fn send_raw(&self, out: Outbound) -> Result<Seq, ClientError> {
        let what = "the message";
        let Some(raw) = self.raw_request(&out) else {
            return self.put(what, out, self.dial.how.timeout).await;
        };
        let slot = Arc::clone(&raw.seq);
        if !self.pending.lock().insert_raw(raw) {
            return Err(self.too_late(what).await);
        }
        let sent = self.put(what, out, self.dial.how.timeout).await;
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
            about: About::of(&method, params(text).map(RawValue::get)),
            method: method.into(),
            seq: Arc::clone(&out.seq),
            abort: out.abort.clone(),
            progress_token: progress_token(text),
        })
    }

    /// Gives a raw frame up on behalf of the user.
    pub(super) async fn cancel_raw(&self, seq: Seq) -> bool {
        let found = self.pending.lock().take_raw(&logged(seq));
        let Some(raw) = found else { return false };
        self.note(Note::Cancelled, Some(seq)).await;
        let whom = (&raw.id, raw.method.as_str(), &raw.abort);
        self.tell_server(whom, "cancelled by the user");
        true
    }

    /// The HTTP exchange of a raw frame is over.
    pub(super) async fn over_raw(&self, via: Seq, error: &TransportError) {
        let found = self.pending.lock().take_raw(&logged(via));
        if found.is_some() {
            let why = Some(error.to_string());
            self.note(Note::Unanswered { why }, Some(via)).await;
        }
    }
}

/// The place of a message that is in the log.
fn logged(seq: Seq) -> SeqSlot {
    Arc::new(OnceLock::from(seq))
}

fn params(message: &str) -> Option<&RawValue> {
    Members::of(message).ok()?.get("params")
}

/// The progress token of a message as its JSON text, where it has one.
fn progress_token(message: &str) -> Option<String> {
    let meta = Members::of(params(message)?.get()).ok()?.get("_meta")?;
    let token = Members::of(meta.get()).ok()?.get("progressToken")?;
    Some(token.get().to_owned())
}
