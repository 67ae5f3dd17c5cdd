//! A request on its way, and what can become of it.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::value::RawValue;

use crate::record::Seq;
use crate::transport::CloseReason;

/// A server's answer. Its error is an answer too.
pub type Reply = Result<Box<RawValue>, RpcError>;

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
    /// The answer is stored but too large to be read.
    OverLimit {
        /// The record that holds it.
        seq: Seq,
    },
}
