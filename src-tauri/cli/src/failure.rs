//! How a run can end badly, and with which exit code. Scripts rely on the codes.

use std::io;

use framescope_core::NoDataDir;
use framescope_core::client::ClientError;
use framescope_core::history::HistoryError;
use framescope_core::manager;

/// Why there is no good result.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The server answered with an error or `isError`; what is to be said has been printed.
    #[error("the server answered with an error")]
    Answered,
    /// The command line asks for something that cannot be.
    #[error("{0}")]
    Usage(String),
    /// The server could not be reached, or the connection broke.
    #[error("{0}")]
    Connection(String),
    /// No answer came in time.
    #[error("{0}")]
    TimedOut(String),
    /// The server asked for input, and there is nobody to give it.
    #[error("the server asked for input, and none can be given here: call it from the app")]
    Input,
    /// The user interrupted.
    #[error("interrupted; the session was closed")]
    Interrupted,
    /// Someone ended this program (SIGTERM).
    #[error("terminated; the session was closed")]
    Terminated,
    /// The result could not be written.
    #[error("the result could not be written: {0}")]
    Output(#[from] io::Error),
    /// The store failed.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// There is no data folder.
    #[error(transparent)]
    NoDataDir(#[from] NoDataDir),
}

impl Failure {
    /// The exit code of the contract.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Answered => 1,
            Self::Usage(_) | Self::NoDataDir(_) => 2,
            Self::History(error) => match error {
                HistoryError::File { .. }
                | HistoryError::Database { .. }
                | HistoryError::Migrate { .. }
                | HistoryError::Damaged { .. } => 3,
                // The rest is about what was asked for: a session or filter that is not there.
                _ => 2,
            },
            Self::Connection(_) | Self::Output(_) => 3,
            Self::TimedOut(_) => 4,
            Self::Input => 5,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }

    /// What is to be said on stderr; nothing where it was said already, or nobody reads.
    pub fn words(&self) -> Option<String> {
        match self {
            Self::Answered => None,
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => None,
            other => Some(other.to_string()),
        }
    }
}

impl From<manager::Error> for Failure {
    fn from(error: manager::Error) -> Self {
        match error {
            // A reference that cannot be resolved stands in what the user typed.
            manager::Error::Secret(secret) => Self::Usage(secret.to_string()),
            other => Self::Connection(other.to_string()),
        }
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        match &error {
            ClientError::TimedOut { .. } => Self::TimedOut(error.to_string()),
            _ => Self::Connection(error.to_string()),
        }
    }
}
