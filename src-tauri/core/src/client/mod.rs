//! One MCP client on one wire: ids, what is pending, the handshake of either era.

mod again;
mod alone;
mod call;
mod catalog;
mod connect;
mod dispatch;
mod draft;
mod error;
mod face;
mod follow;
mod handshake;
mod input;
pub(crate) mod json;
mod link;
mod listen;
mod lists;
mod logged;
mod logging;
mod mirror;
mod negotiate;
mod pages;
mod params;
mod pending;
mod raw;
mod renew;
mod roots;
mod rules;
mod subscriptions;
#[cfg(test)]
mod tests;
mod visits;
mod waits;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::value::RawValue;
use tokio::sync::{oneshot, watch};

pub use again::ListChanges;
pub use alone::Compared;
pub use call::{Outcome, Reply, RpcError};
pub use catalog::{Catalog, Listed, Prompt, PromptArgument, Resource, Template, Tool, ToolHints};
pub use connect::Connect;
pub use draft::{Composed, Draft};
pub use error::{ClientError, ended, seconds};
pub use face::{capabilities, client_info};
pub use handshake::Patience;
pub use input::{Answer, Answers, InputId, PendingInput};
pub use json::Json;
pub use listen::Notice;
pub use logged::{Listing, logged_tools, logged_whole};
pub use pages::{Cache, ListedPage};
pub use subscriptions::{Subscription, SubscriptionState, Watched};
pub use waits::{PendingCall, Progress};

use crate::protocol::{Era, Revision};
use crate::record::{Conn, Seq, StoppedBy};
use crate::transport::{CloseReason, Outbound};
use link::Link;

/// What both sides agreed on.
#[derive(Clone, Debug)]
pub struct Negotiated {
    /// How requests are made.
    pub era: Era,
    /// In which revision.
    pub revision: Revision,
    /// The server's `Implementation` object, to the byte.
    pub server: Option<Box<RawValue>>,
    /// Its `name`; empty where it has none.
    pub name: String,
    /// Its `version`; empty where it has none.
    pub version: String,
    /// The server's capabilities, to the byte.
    pub capabilities: Box<RawValue>,
    /// The server's instructions.
    pub instructions: Option<String>,
    /// The whole result of `initialize` or `server/discover`, to the byte; `null` where it told nothing.
    pub raw: Json,
}

/// An MCP client. A clone is the same client.
#[derive(Clone, Debug)]
pub struct Client {
    /// Its first wire, which leads to the one that is used now.
    link: Arc<Link>,
}

/// A request on its way. Dropping it changes nothing: the answer is logged, and so is a time-out.
#[derive(Debug)]
pub struct Call {
    link: Arc<Link>,
    seq: Seq,
    told: oneshot::Receiver<Outcome>,
}

impl Client {
    fn latest(&self) -> Arc<Link> {
        self.link.latest()
    }

    /// What both sides agreed on.
    pub fn negotiated(&self) -> Arc<Negotiated> {
        let link = self.latest();
        let undescribed = || Arc::new(handshake::undescribed(link.manner().revision));
        link.negotiated.get().cloned().unwrap_or_else(undescribed)
    }

    /// Whether the server ended at `server/discover` and was started again for `initialize`.
    pub fn ended_at_probe(&self) -> bool {
        self.link
            .dial
            .ended_at_probe
            .load(std::sync::atomic::Ordering::Relaxed)
    }

    /// The process or wire that it speaks over.
    pub fn conn(&self) -> Conn {
        self.latest().conn
    }

    /// What [`Client::call`] would send next. Changes nothing: the id is the next free one, not reserved.
    pub fn compose(&self, draft: &Draft) -> Composed {
        let link = self.latest();
        let (composed, _) = link.compose(draft, link.dial.ids.peek(), link.manner());
        composed
    }

    /// Bytes as the log has them: known secrets masked.
    pub fn masked(&self, bytes: &Bytes) -> Bytes {
        self.link.tap().known_secrets().mask(bytes).0
    }

    /// Headers as the log has them: credentials and known secrets masked.
    pub fn masked_headers(&self, headers: &[(String, String)]) -> Vec<(String, String)> {
        let mut masked = headers.to_vec();
        self.link.tap().known_secrets().mask_headers(&mut masked);
        for (_, value) in &mut masked {
            let bytes = self.masked(&Bytes::copy_from_slice(value.as_bytes()));
            *value = String::from_utf8_lossy(&bytes).into_owned();
        }
        masked
    }

    /// Sends a request. Returns as soon as it is in the log, before it is written. It may be sent again where the answer asks
    /// for that: in a new session, in another revision, or with the input that the server wants.
    ///
    /// # Errors
    /// Where it is not sent at all.
    pub async fn call(&self, draft: &Draft) -> Result<Call, ClientError> {
        self.latest().ask(draft).await
    }

    /// Sends a notification; `params` as JSON text.
    ///
    /// # Errors
    /// Where it is not sent.
    pub async fn notify(&self, method: &str, params: Option<&str>) -> Result<Seq, ClientError> {
        self.latest().notify(method, params).await
    }

    /// Sends anything, also what is no message. An answer to it is in the log only; until then a request is among [`Client::pending`].
    ///
    /// # Errors
    /// Where it is not sent.
    pub async fn send_raw(&self, out: Outbound) -> Result<Seq, ClientError> {
        self.latest().send_raw(out).await
    }

    /// The requests that wait for their answer, oldest first.
    pub fn pending(&self) -> Vec<PendingCall> {
        self.latest().pending.lock().list()
    }

    /// Counts up when [`Self::pending`] has changed.
    pub fn pending_changes(&self) -> watch::Receiver<u64> {
        self.link.dial.waits.subscribe()
    }

    /// Gives the pending request that was sent as `seq` more time. False where it is not pending.
    pub async fn extend(&self, seq: Seq, by: Duration) -> bool {
        self.latest().extend(seq, by).await
    }

    /// Cancels the pending request that was sent as `seq` and tells the server. False where it is not pending.
    pub async fn cancel(&self, seq: Seq) -> bool {
        self.latest().cancel(seq).await
    }

    /// What the server asks and nobody has answered yet, oldest first.
    pub fn inputs(&self) -> Vec<PendingInput> {
        self.link.dial.inputs.list()
    }

    /// Changes whenever [`Client::inputs`] does.
    pub fn inputs_changed(&self) -> watch::Receiver<()> {
        self.link.dial.inputs.changes()
    }

    /// Answers what the server asks. A modern request is sent again once everything that it asked for is answered. False
    /// where nobody asks that any more.
    pub fn answer(&self, id: &InputId, answer: Answer) -> bool {
        self.link.dial.inputs.answer(id, answer)
    }

    /// Begins to end the connection; [`Client::gone`] tells when it is done.
    pub fn close(&self, by: StoppedBy, text: Option<String>) {
        self.latest().writer.close(by, text);
    }

    /// How the connection ended, if it has.
    pub fn closed(&self) -> Option<Arc<CloseReason>> {
        self.latest().closed()
    }

    /// Waits for the end of the connection; all of it is logged then. A connection that another one took the place of has
    /// not ended.
    pub async fn gone(&self) -> Arc<CloseReason> {
        loop {
            let link = self.latest();
            let reason = link.gone().await;
            if link.next.get().is_none() {
                return reason;
            }
        }
    }
}
