//! What crosses the bridge to the page. Outgoing types are only `Serialize`, incoming ones only `Deserialize`.
//!
//! Sequence numbers and microseconds are below 2^53, so they are JavaScript numbers; JSON from the wire crosses as text.

mod applog;
mod auth;
mod client;
mod doctor;
mod export;
mod log;
mod offers;
mod servers;
mod sessions;
mod subscriptions;
mod talk;

use serde::Serialize;
use ts_rs::TS;

pub use applog::*;
pub use auth::*;
pub use client::*;
pub use doctor::*;
pub use export::*;
pub use log::*;
pub use offers::*;
pub use servers::*;
pub use sessions::*;
pub use subscriptions::*;
pub use talk::*;

/// Errors that the page acts on. A code exists only if the page does something different for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ErrorCode {
    /// What was typed cannot be used.
    InvalidConfig,
    /// The process could not be started.
    SpawnFailed,
    /// The server could not be reached.
    ConnectFailed,
    /// The server wants a sign-in.
    AuthRequired,
    /// The server was reached and the handshake failed.
    HandshakeFailed,
    /// The session is not connected.
    SessionClosed,
    /// No answer in time.
    Timeout,
    /// The user cancelled.
    Cancelled,
    /// A command that was pasted or imported waits for the user's consent before its first start: `confirm_server`.
    NeedsConsent,
    /// There is no such thing.
    NotFound,
    /// The passphrase opens nothing.
    WrongPassphrase,
    /// The data folder cannot be used.
    HistoryUnavailable,
    /// This app failed.
    Internal,
}

/// An error of a command.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct IpcErrorRow {
    /// For what the page does differently.
    pub code: ErrorCode,
    /// Names the party at fault and the next step.
    pub message: String,
}
