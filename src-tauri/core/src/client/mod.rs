//! One MCP client on one wire: ids, what is pending, the handshake of either era.

mod call;
mod catalog;
mod draft;
mod error;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::value::RawValue;

pub use call::{Outcome, Reply, RpcError};
pub use catalog::{Catalog, Listed, Prompt, PromptArgument, Resource, Template, Tool, ToolHints};
pub use draft::{Composed, Draft};
pub use error::{ClientError, ended};

use crate::protocol::{Era, RequestId, Revision};
use crate::record::{Conn, Seq};
use crate::transport::{CloseReason, Outbound, TransportError};

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
    negotiated: Arc<Negotiated>,
}

/// A request on its way. Dropping it changes nothing: the answer is logged, and so is a time-out.
#[derive(Debug)]
pub struct Call {
    seq: Seq,
}

#[allow(clippy::unused_async, reason = "bodies follow")]
impl Client {
    /// What both sides agreed on.
    pub fn negotiated(&self) -> Arc<Negotiated> {
        Arc::clone(&self.negotiated)
    }

    /// The process or wire that it speaks over.
    pub fn conn(&self) -> Conn {
        Conn(0)
    }

    /// What [`Client::call`] would send next. Changes nothing: the id is the next free one, not reserved.
    pub fn compose(&self, _draft: &Draft) -> Composed {
        Composed {
            bytes: Bytes::new(),
            headers: vec![],
            id: RequestId::from_raw("1"),
            progress_token: None,
            problem: None,
        }
    }

    /// Sends a request. Returns as soon as it is in the log, before it is written.
    ///
    /// # Errors
    /// Where it is not sent at all.
    pub async fn call(&self, _draft: &Draft) -> Result<Call, ClientError> {
        Err(TransportError::Closed.into())
    }

    /// Sends a notification; `params` as JSON text.
    ///
    /// # Errors
    /// Where it is not sent.
    pub async fn notify(&self, _method: &str, _params: Option<&str>) -> Result<Seq, ClientError> {
        Err(TransportError::Closed.into())
    }

    /// Sends anything, also what is no message. An answer to it is in the log only.
    ///
    /// # Errors
    /// Where it is not sent.
    pub async fn send_raw(&self, _out: Outbound) -> Result<Seq, ClientError> {
        Err(TransportError::Closed.into())
    }

    /// Gives the pending request that was sent as `seq` more time. False where it is not pending.
    pub async fn extend(&self, _seq: Seq, _by: Duration) -> bool {
        false
    }

    /// Cancels the pending request that was sent as `seq` and tells the server. False where it is not pending.
    pub async fn cancel(&self, _seq: Seq) -> bool {
        false
    }

    /// All tools.
    ///
    /// # Errors
    /// Where the first page cannot be had.
    pub async fn list_tools(&self) -> Result<Listed<Tool>, ClientError> {
        Err(TransportError::Closed.into())
    }

    /// All prompts.
    ///
    /// # Errors
    /// Where the first page cannot be had.
    pub async fn list_prompts(&self) -> Result<Listed<Prompt>, ClientError> {
        Err(TransportError::Closed.into())
    }

    /// All resources.
    ///
    /// # Errors
    /// Where the first page cannot be had.
    pub async fn list_resources(&self) -> Result<Listed<Resource>, ClientError> {
        Err(TransportError::Closed.into())
    }

    /// All resource templates.
    ///
    /// # Errors
    /// Where the first page cannot be had.
    pub async fn list_templates(&self) -> Result<Listed<Template>, ClientError> {
        Err(TransportError::Closed.into())
    }

    /// All items of a list, to the byte.
    ///
    /// # Errors
    /// Where the first page cannot be had.
    pub async fn list_raw(&self, _what: Catalog) -> Result<Listed<Box<RawValue>>, ClientError> {
        Err(TransportError::Closed.into())
    }

    /// How the connection ended, if it has.
    pub fn closed(&self) -> Option<Arc<CloseReason>> {
        None
    }
}

#[allow(clippy::unused_async, reason = "bodies follow")]
impl Call {
    /// The record of the request.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// Gives it more time. False where it is not pending any more.
    pub async fn extend(&self, _by: Duration) -> bool {
        false
    }

    /// Cancels it and tells the server. False where it is not pending any more.
    pub async fn cancel(&self) -> bool {
        false
    }

    /// Waits for what becomes of it.
    pub async fn outcome(self) -> Outcome {
        Outcome::Cancelled
    }
}
