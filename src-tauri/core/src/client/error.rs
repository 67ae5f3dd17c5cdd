//! What can go wrong between this app and a server. A server's JSON-RPC error is an answer and stands here only where an
//! operation of several requests cannot go on without its result.

use std::sync::Arc;
use std::time::Duration;

use super::RpcError;
use crate::protocol::Revision;
use crate::record::{EndReason, NotRecording, StoppedBy};
use crate::transport::{CloseReason, TransportError};

/// Why an operation of the client failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ClientError {
    /// The wire could not be opened or used.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The connection ended before the answer came.
    #[error("{} before answering {method}{}", ended(reason), stderr(reason))]
    Closed {
        /// The request without an answer.
        method: String,
        /// How it ended.
        reason: Arc<CloseReason>,
    },
    /// The server did not answer in time.
    #[error("the server did not answer {method} within {} s. Give it more time, or see what it logs", seconds(*after))]
    TimedOut {
        /// The request without an answer.
        method: String,
        /// How long we waited.
        after: Duration,
    },
    /// The message could not be written in time; nothing of it was sent.
    #[error("{method} was not sent: the server has not read its input for {} s", seconds(*after))]
    NotRead {
        /// The method of the message.
        method: String,
        /// How long we waited.
        after: Duration,
    },
    /// The user cancelled.
    #[error("{method} was cancelled")]
    Cancelled {
        /// The request.
        method: String,
    },
    /// The server answered with a JSON-RPC error, and without the result there is nothing to go on with.
    #[error("the server answered {method} with error {}: {}", error.code, error.message)]
    Refused {
        /// The request.
        method: String,
        /// The server's answer.
        error: RpcError,
    },
    /// The server's result cannot be used.
    #[error("the server's answer to {method} cannot be used: {problem}. Its bytes are in the log")]
    BadResult {
        /// The request.
        method: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The answer is stored but too large to be read.
    #[error(
        "the server's answer to {method} is over the limit; it is stored as #{seq} and was not read"
    )]
    OverLimit {
        /// The request.
        method: String,
        /// The record of the answer.
        seq: crate::record::Seq,
    },
    /// The two sides share no revision.
    #[error(
        "this app and the server share no protocol revision: the server offers {}, this app was to speak {}. Choose \
         another era for the server",
        list(theirs),
        list(ours)
    )]
    Incompatible {
        /// What the server offers.
        theirs: Vec<String>,
        /// What we may speak with it.
        ours: Vec<Revision>,
    },
    /// Neither transport over HTTP brought a connection.
    #[error("{first}; HTTP+SSE of 2024-11-05 was tried as well: {second}")]
    NoTransport {
        /// Over Streamable HTTP.
        first: Box<ClientError>,
        /// Over HTTP+SSE.
        second: Box<ClientError>,
    },
    /// A tool whose definition or arguments forbid a call over HTTP (2026-07-28 server/tools › x-mcp-header).
    #[error(
        "{tool} was not called: {why}. The server has to correct the tool's inputSchema; what must go out all the same can be \
         sent as raw bytes"
    )]
    NotCallable {
        /// The tool.
        tool: String,
        /// What is wrong.
        why: String,
    },
    /// The log cannot be written, and what is not recorded does not happen.
    #[error(transparent)]
    NotRecording(#[from] NotRecording),
}

/// Seconds as people say them: to the hundredth.
pub fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 100.0).round() / 100.0
}

fn list<T: ToString>(words: &[T]) -> String {
    match words {
        [] => "none".to_owned(),
        words => words
            .iter()
            .map(T::to_string)
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// Who ended a connection and how, as the beginning of a sentence.
pub fn ended(reason: &CloseReason) -> String {
    let closed = &reason.closed;
    match (closed.by, closed.reason, &closed.signal, closed.code) {
        (StoppedBy::User, ..) => "the connection was closed".to_owned(),
        (StoppedBy::App, ..) => match &closed.text {
            Some(text) => format!("this app closed the connection ({text})"),
            None => "this app closed the connection".to_owned(),
        },
        (StoppedBy::Server, EndReason::Failed, ..) => closed
            .text
            .clone()
            .unwrap_or_else(|| "the connection failed".to_owned()),
        (StoppedBy::Server, EndReason::StreamEnded, ..) => closed
            .text
            .clone()
            .unwrap_or_else(|| "the server closed its output".to_owned()),
        (StoppedBy::Server, _, Some(signal), _) => format!("the server was ended by {signal}"),
        (StoppedBy::Server, _, None, Some(code)) => format!("the server exited with code {code}"),
        (StoppedBy::Server, _, None, None) => "the server ended".to_owned(),
    }
}

fn stderr(reason: &CloseReason) -> String {
    match (reason.closed.by, reason.last_stderr.as_str()) {
        (StoppedBy::App | StoppedBy::User, _) => String::new(),
        // What ended is a stream over HTTP, and its end says why.
        (StoppedBy::Server, "") if reason.closed.text.is_some() => String::new(),
        (StoppedBy::Server, "") => {
            "; it wrote nothing to stderr. Run its command in a terminal to see why".to_owned()
        }
        (StoppedBy::Server, text) => format!("; last stderr: {text}"),
    }
}
