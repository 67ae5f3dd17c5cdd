//! Errors of the core as the page gets them. A code exists only where the page does something different for it.

use framescope_core::client::ClientError;
use framescope_core::history::HistoryError;
use framescope_core::manager;
use framescope_core::secrets::SecretError;
use framescope_core::transport::{HttpError, TransportError};

use crate::rows::{ErrorCode, IpcErrorRow};

impl IpcErrorRow {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

impl From<manager::Error> for IpcErrorRow {
    fn from(error: manager::Error) -> Self {
        Self::new(manager_code(&error), error.to_string())
    }
}

impl From<ClientError> for IpcErrorRow {
    fn from(error: ClientError) -> Self {
        Self::new(client_code(&error), error.to_string())
    }
}

impl From<HistoryError> for IpcErrorRow {
    fn from(error: HistoryError) -> Self {
        Self::new(history_code(&error), error.to_string())
    }
}

impl From<SecretError> for IpcErrorRow {
    fn from(error: SecretError) -> Self {
        Self::new(ErrorCode::InvalidConfig, error.to_string())
    }
}

impl From<tauri_plugin_store::Error> for IpcErrorRow {
    fn from(error: tauri_plugin_store::Error) -> Self {
        Self::new(
            ErrorCode::HistoryUnavailable,
            format!("this app could not use its settings: {error}"),
        )
    }
}

/// Why a session could not be connected. The page offers other things than for a connection that ended later.
pub(crate) fn connect_code(error: &manager::Error) -> ErrorCode {
    match manager_code(error) {
        ErrorCode::SessionClosed | ErrorCode::Timeout => ErrorCode::HandshakeFailed,
        code @ (ErrorCode::InvalidConfig
        | ErrorCode::SpawnFailed
        | ErrorCode::ConnectFailed
        | ErrorCode::AuthRequired
        | ErrorCode::HandshakeFailed
        | ErrorCode::Cancelled
        | ErrorCode::NeedsConsent
        | ErrorCode::NotFound
        | ErrorCode::WrongPassphrase
        | ErrorCode::HistoryUnavailable
        | ErrorCode::Internal) => code,
    }
}

/// The HTTP status with which the server refused the connection.
pub(crate) fn connect_status(error: &manager::Error) -> Option<u16> {
    match error {
        manager::Error::Failed(error) => connect_status(error),
        manager::Error::Client(ClientError::Transport(TransportError::Http(error))) => {
            error.status()
        }
        manager::Error::Client(_)
        | manager::Error::Secret(_)
        | manager::Error::History(_)
        | manager::Error::Closed(_)
        | manager::Error::NotRecording(_)
        | manager::Error::NotOpen(_)
        | manager::Error::SignIn(_)
        | manager::Error::Internal => None,
    }
}

fn manager_code(error: &manager::Error) -> ErrorCode {
    match error {
        manager::Error::Secret(_) => ErrorCode::InvalidConfig,
        manager::Error::History(error) => history_code(error),
        manager::Error::Client(error) => client_code(error),
        manager::Error::Failed(error) => manager_code(error),
        manager::Error::Closed(_) | manager::Error::NotOpen(_) => ErrorCode::SessionClosed,
        manager::Error::NotRecording(_) => ErrorCode::HistoryUnavailable,
        manager::Error::SignIn(_) => ErrorCode::AuthRequired,
        manager::Error::Internal => ErrorCode::Internal,
    }
}

fn client_code(error: &ClientError) -> ErrorCode {
    match error {
        ClientError::Transport(error) => transport_code(error),
        ClientError::Closed { .. } => ErrorCode::SessionClosed,
        ClientError::TimedOut { .. } | ClientError::NotRead { .. } => ErrorCode::Timeout,
        ClientError::Cancelled { .. } => ErrorCode::Cancelled,
        ClientError::Refused { .. }
        | ClientError::BadResult { .. }
        | ClientError::OverLimit { .. }
        | ClientError::Incompatible { .. } => ErrorCode::HandshakeFailed,
        ClientError::NoTransport { second, .. } => client_code(second),
        ClientError::NotCallable { .. } => ErrorCode::InvalidConfig,
        ClientError::NotRecording(_) => ErrorCode::HistoryUnavailable,
    }
}

fn transport_code(error: &TransportError) -> ErrorCode {
    match error {
        TransportError::NotFound { .. }
        | TransportError::NotExecutable { .. }
        | TransportError::NoFolder { .. }
        | TransportError::Spawn { .. } => ErrorCode::SpawnFailed,
        TransportError::Http(HttpError::Url { .. } | HttpError::Header { .. }) => {
            ErrorCode::InvalidConfig
        }
        TransportError::Http(HttpError::SignIn { .. }) => ErrorCode::AuthRequired,
        TransportError::Http(HttpError::SessionLost { .. }) => ErrorCode::SessionClosed,
        TransportError::Http(_) => ErrorCode::ConnectFailed,
        TransportError::Closed => ErrorCode::SessionClosed,
        TransportError::Congested { .. } => ErrorCode::Timeout,
        TransportError::NotRecording(_) => ErrorCode::HistoryUnavailable,
    }
}

fn history_code(error: &HistoryError) -> ErrorCode {
    match error {
        HistoryError::Filter(_) | HistoryError::NameTaken { .. } | HistoryError::Alive(_) => {
            ErrorCode::InvalidConfig
        }
        HistoryError::NoSession { .. }
        | HistoryError::Ambiguous { .. }
        | HistoryError::NoRecord { .. } => ErrorCode::NotFound,
        HistoryError::WrongPassphrase { .. } => ErrorCode::WrongPassphrase,
        HistoryError::File { .. }
        | HistoryError::NeedsPassphrase { .. }
        | HistoryError::Sealed { .. }
        | HistoryError::Database { .. }
        | HistoryError::Migrate { .. }
        | HistoryError::Exists(_)
        | HistoryError::RecorderDied(_)
        | HistoryError::NotASession { .. }
        | HistoryError::NewerFormat { .. }
        | HistoryError::OlderFormat { .. }
        | HistoryError::Capture { .. }
        | HistoryError::Export { .. }
        | HistoryError::Damaged { .. } => ErrorCode::HistoryUnavailable,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use framescope_core::record::{NotRecording, Seq, SessionId};

    use super::*;

    #[test]
    fn each_error_has_the_code_that_the_page_acts_on() {
        let timed_out = || ClientError::TimedOut {
            method: "initialize".into(),
            after: Duration::from_secs(30),
        };
        let missing = || TransportError::NotFound {
            command: "x".into(),
            folders: 9,
            path: "/bin".into(),
        };
        let lost = || NotRecording {
            since: Seq(3),
            why: "disk full".into(),
        };
        let nowhere = || HistoryError::NoSession { word: "x".into() };
        for (error, expected) in [
            (
                manager::Error::Client(missing().into()),
                ErrorCode::SpawnFailed,
            ),
            (
                manager::Error::Failed(Arc::new(manager::Error::Client(missing().into()))),
                ErrorCode::SpawnFailed,
            ),
            (manager::Error::Client(timed_out()), ErrorCode::Timeout),
            (
                manager::Error::Client(TransportError::Closed.into()),
                ErrorCode::SessionClosed,
            ),
            (
                manager::Error::NotRecording(lost()),
                ErrorCode::HistoryUnavailable,
            ),
            (manager::Error::History(nowhere()), ErrorCode::NotFound),
            (
                manager::Error::NotOpen(SessionId(uuid::Uuid::nil())),
                ErrorCode::SessionClosed,
            ),
        ] {
            let message = error.to_string();
            let row = IpcErrorRow::from(error);
            assert_eq!(
                (row.code, row.message.as_str()),
                (expected, message.as_str()),
                "{message}"
            );
        }
        assert_eq!(
            connect_code(&manager::Error::Client(timed_out())),
            ErrorCode::HandshakeFailed
        );
        assert_eq!(
            connect_code(&manager::Error::Client(missing().into())),
            ErrorCode::SpawnFailed
        );
    }
}
