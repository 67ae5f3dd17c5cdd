//! Composes the exact bytes of a message. *Will send* and sending use the same function.

use std::time::Duration;

use bytes::Bytes;

use crate::protocol::{RequestId, Revision};

/// A request as the user made it.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The method.
    pub method: String,
    /// `params` as JSON text, kept as typed to the byte; on stdio its line breaks become spaces. Any text can be sent.
    pub params: Option<String>,
    /// How long to wait for an answer or a sign of progress; the client's own time-out where missing.
    pub timeout: Option<Duration>,
    /// How long to wait altogether, progress or not; [`Draft::TOTAL`] where missing.
    pub total: Option<Duration>,
    /// Another revision than the negotiated one, to see what the server makes of it.
    pub revision: Option<Revision>,
    /// Further members of `params._meta`, as the JSON text of an object.
    pub meta: Option<String>,
    /// Further headers; over HTTP only.
    pub headers: Vec<(String, String)>,
}

impl Draft {
    /// The hard limit of a request that makes progress all the time (utilities/progress, lifecycle › Timeouts).
    pub const TOTAL: Duration = Duration::from_secs(3600);

    /// A request for `method` with `params` as JSON text.
    pub fn new(method: impl Into<String>, params: Option<String>) -> Self {
        Self {
            method: method.into(),
            params,
            ..Self::default()
        }
    }
}

/// What will be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// The message to the byte, without the transport's separator.
    pub bytes: Bytes,
    /// Headers; over HTTP only.
    pub headers: Vec<(String, String)>,
    /// Its id.
    pub id: RequestId,
    /// The token by which progress is told, as its JSON text.
    pub progress_token: Option<String>,
    /// Our own check: what the server will stumble over. It can be sent all the same.
    pub problem: Option<String>,
}
