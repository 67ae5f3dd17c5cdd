//! What can go wrong with a session.

use std::sync::Arc;

use crate::client::ClientError;
use crate::history::HistoryError;
use crate::record::{NotRecording, SessionId};
use crate::secrets::SecretError;
use crate::transport::CloseReason;

/// Why an operation of the manager failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A reference in the configuration cannot be resolved.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The session cannot be stored.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The connection could not be made.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The connection could not be made; the session remembers why.
    #[error(transparent)]
    Failed(Arc<Error>),
    /// The session is over.
    #[error("{}", crate::client::ended(.0))]
    Closed(Arc<CloseReason>),
    /// The log cannot be written, so the session was closed.
    #[error(transparent)]
    NotRecording(#[from] NotRecording),
    /// This app has no such session open.
    #[error("this app has no open session {0}")]
    NotOpen(SessionId),
    /// A token was not come by, renewed or revoked.
    #[error(transparent)]
    SignIn(#[from] crate::auth::StepError),
    /// This app failed.
    #[error("this app failed in the session's task, so the session was closed; please report it")]
    Internal,
}
