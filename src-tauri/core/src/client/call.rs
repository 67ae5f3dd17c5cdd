//! A request on its way, and what can become of it.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::json::{Json, Members, string};
use super::link::{Link, gone};
use super::{Call, ClientError};
use crate::record::Seq;
use crate::transport::{CloseReason, TransportError};

/// A server's answer. Its error is an answer too.
pub type Reply = Result<Json, RpcError>;

/// The error of a JSON-RPC error response.
#[derive(Clone, Debug)]
pub struct RpcError {
    /// `code`; 0 where it is no integer.
    pub code: i64,
    /// `message`; empty where it is no string.
    pub message: String,
    /// `data`, to the byte.
    pub data: Option<Box<RawValue>>,
    /// The whole `error` member, to the byte.
    pub raw: Box<RawValue>,
}

impl RpcError {
    fn of(raw: &RawValue) -> Self {
        let members = Members::of(raw.get()).ok();
        let member = |key| members.as_ref().and_then(|members| members.get(key));
        Self {
            code: member("code")
                .and_then(|code| code.get().parse().ok())
                .unwrap_or_default(),
            message: member("message").and_then(string).unwrap_or_default(),
            data: member("data").map(ToOwned::to_owned),
            raw: raw.to_owned(),
        }
    }
}

/// Reads the answer off a response; `None` where it holds neither a result nor an error.
pub(super) fn reply(message: &Json) -> Option<Reply> {
    let members = Members::of(message.get()).ok()?;
    match (members.get("error"), members.get("result")) {
        (Some(error), _) => Some(Err(RpcError::of(error))),
        (None, Some(result)) => Some(Ok(message.part(result))),
        (None, None) => None,
    }
}

/// What became of a request.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The server answered.
    Reply {
        /// Its result or error.
        reply: Reply,
        /// The whole message to the byte (of a batch: the item).
        raw: Bytes,
        /// The record that holds it.
        seq: Seq,
    },
    /// No answer came in time; one that comes later is in the log.
    TimedOut {
        /// How long we waited.
        after: Duration,
    },
    /// The user cancelled.
    Cancelled,
    /// The connection ended first, or the request could not be written.
    Closed(Arc<CloseReason>),
    /// Its HTTP exchange ended without an answer.
    Failed(TransportError),
    /// The answer is stored but too large to be read.
    OverLimit {
        /// The record that holds it.
        seq: Seq,
    },
}

impl Outcome {
    /// The answer, where one came; anything else as an error about `method`.
    ///
    /// # Errors
    /// Where no answer came.
    pub fn answered(self, method: &str) -> Result<Reply, ClientError> {
        let method = method.to_owned();
        match self {
            Self::Reply { reply, .. } => Ok(reply),
            Self::TimedOut { after } => Err(ClientError::TimedOut { method, after }),
            Self::Cancelled => Err(ClientError::Cancelled { method }),
            Self::Closed(reason) => Err(ClientError::Closed { method, reason }),
            Self::Failed(error) => Err(error.into()),
            Self::OverLimit { seq } => Err(ClientError::OverLimit { method, seq }),
        }
    }
}

impl Call {
    pub(super) fn new(link: Arc<Link>, seq: Seq, told: oneshot::Receiver<Outcome>) -> Self {
        Self { link, seq, told }
    }

    /// The record of the request.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// Gives it more time. False where it is not pending any more.
    pub async fn extend(&self, by: Duration) -> bool {
        self.link.latest().extend(self.seq, by).await
    }

    /// Cancels it and tells the server. False where it is not pending any more.
    pub async fn cancel(&self) -> bool {
        self.link.latest().cancel(self.seq).await
    }

    /// Waits for what becomes of it.
    pub async fn outcome(self) -> Outcome {
        match self.told.await {
            Ok(outcome) => outcome,
            // Whoever had to tell has failed with the connection.
            Err(_) => Outcome::Closed(self.link.closed().unwrap_or_else(|| Arc::new(gone()))),
        }
    }
}
