//! One MCP client on one wire: ids, what is pending, the handshake of either era.

mod call;
mod catalog;
mod connect;
mod dispatch;
mod draft;
mod error;
mod handshake;
pub(crate) mod json;
mod link;
mod mirror;
mod pending;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::value::RawValue;
use tokio::sync::{oneshot, watch};

pub use call::{Outcome, Reply, RpcError};
pub use catalog::{Catalog, Listed, Prompt, PromptArgument, Resource, Template, Tool, ToolHints};
pub use connect::Connect;
pub use draft::{Composed, Draft};
pub use error::{ClientError, ended, seconds};
pub use handshake::Patience;
pub use pending::{PendingCall, Progress};

use crate::protocol::{Era, Revision};
use crate::record::{Conn, Seq, StoppedBy};
use crate::transport::{CloseReason, Outbound};
use link::{Limits, Link};

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
}

/// An MCP client. A clone is the same client.
#[derive(Clone, Debug)]
pub struct Client {
    link: Arc<Link>,
    negotiated: Arc<Negotiated>,
}

/// A request on its way. Dropping it changes nothing: the answer is logged, and so is a time-out.
#[derive(Debug)]
pub struct Call {
    link: Arc<Link>,
    seq: Seq,
    told: oneshot::Receiver<Outcome>,
}

impl Client {
    /// What both sides agreed on.
    pub fn negotiated(&self) -> Arc<Negotiated> {
        Arc::clone(&self.negotiated)
    }

    /// The process or wire that it speaks over.
    pub fn conn(&self) -> Conn {
        self.link.conn
    }

    /// What [`Client::call`] would send next. Changes nothing: the id is the next free one, not reserved.
    pub fn compose(&self, draft: &Draft) -> Composed {
        draft::compose(draft, self.link.ids.peek(), self.link.manner())
    }

    /// Bytes as the log has them: known secrets masked.
    pub fn masked(&self, bytes: &Bytes) -> Bytes {
        self.link.tap.known_secrets().mask(bytes).0
    }

    /// Headers as the log has them: credentials and known secrets masked.
    pub fn masked_headers(&self, headers: &[(String, String)]) -> Vec<(String, String)> {
        let mut masked = headers.to_vec();
        self.link.tap.known_secrets().mask_headers(&mut masked);
        for (_, value) in &mut masked {
            let bytes = self.masked(&Bytes::copy_from_slice(value.as_bytes()));
            *value = String::from_utf8_lossy(&bytes).into_owned();
        }
        masked
    }

    /// Sends a request. Returns as soon as it is in the log, before it is written.
    ///
    /// # Errors
    /// Where it is not sent at all.
    pub async fn call(&self, draft: &Draft) -> Result<Call, ClientError> {
        let timeout = draft.timeout.unwrap_or(self.link.timeout);
        let limits = Limits {
            timeout: Some(timeout),
            total: draft.total.unwrap_or(Draft::TOTAL.max(timeout)),
        };
        self.link.call(draft, self.link.manner(), limits).await
    }

    /// Sends a notification; `params` as JSON text.
    ///
    /// # Errors
    /// Where it is not sent.
    pub async fn notify(&self, method: &str, params: Option<&str>) -> Result<Seq, ClientError> {
        self.link.notify(method, params).await
    }

    /// Sends anything, also what is no message. An answer to it is in the log only; until then a request is among [`Client::pending`].
    ///
    /// # Errors
    /// Where it is not sent.
    pub async fn send_raw(&self, out: Outbound) -> Result<Seq, ClientError> {
        self.link.send_raw(out).await
    }

    /// The requests that wait for their answer, oldest first.
    pub fn pending(&self) -> Vec<PendingCall> {
        self.link.pending.lock().list()
    }

    /// Counts up when [`Self::pending`] has changed.
    pub fn pending_changes(&self) -> watch::Receiver<u64> {
        self.link.pending.lock().changes()
    }

    /// Gives the pending request that was sent as `seq` more time. False where it is not pending.
    pub async fn extend(&self, seq: Seq, by: Duration) -> bool {
        self.link.extend(seq, by).await
    }

    /// Cancels the pending request that was sent as `seq` and tells the server. False where it is not pending.
    pub async fn cancel(&self, seq: Seq) -> bool {
        self.link.cancel(seq).await
    }

    /// Begins to end the connection; [`Client::gone`] tells when it is done.
    pub fn close(&self, by: StoppedBy, text: Option<String>) {
        self.link.writer.close(by, text);
    }

    /// How the connection ended, if it has.
    pub fn closed(&self) -> Option<Arc<CloseReason>> {
        self.link.closed()
    }

    /// Waits for the end of the connection; all of it is logged then.
    pub async fn gone(&self) -> Arc<CloseReason> {
        self.link.gone().await
    }
}
