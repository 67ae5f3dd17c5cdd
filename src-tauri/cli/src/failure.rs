//! How a run can end badly, and with which exit code. Scripts rely on the codes.

use std::io;

use framescope_core::NoDataDir;
use framescope_core::client::ClientError;
use framescope_core::history::HistoryError;
use framescope_core::manager;

/// Why there is no good result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The server answered with an error or `isError`; what is to be said has been printed.
    #[error("the server answered with an error")]
    Answered,
    /// The server refused, in these words.
    #[error("{0}")]
    Refused(String),
    /// The command line asks for something that cannot be.
    #[error("{0}")]
    Usage(String),
    /// The doctor has found what is wrong; what is to be said has been printed.
    #[error("the server could not be connected")]
    Diagnosed,
    /// The server could not be reached, or the connection broke.
    #[error("{0}")]
    Connection(String),
    /// No answer came in time.
    #[error("{0}")]
    TimedOut(String),
    /// The server asked for input, and there is nobody to give it.
    #[error(
        "the server asked for input and nothing answered it: give the answer with --answer FILE, or call it from the app"
    )]
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
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            _ if self.reader_gone() => 0,
            Self::Answered | Self::Refused(_) => 1,
            Self::Usage(_) | Self::NoDataDir(_) => 2,
            Self::History(error) if broken(error) => 3,
            // What was asked for is not there: a session, a filter, a file.
            Self::History(_) => 2,
            Self::Diagnosed | Self::Connection(_) | Self::Output(_) => 3,
            Self::TimedOut(_) => 4,
            Self::Input => 5,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }

    /// What is to be said on stderr; nothing where it was said already, or nobody reads.
    pub(crate) fn words(&self) -> Option<String> {
        let silent = matches!(self, Self::Answered | Self::Diagnosed) || self.reader_gone();
        (!silent).then(|| self.to_string())
    }

    /// Whoever read stdout wants no more of it (`| head`): no failure.
    fn reader_gone(&self) -> bool {
        let (Self::Output(error) | Self::History(HistoryError::Export { source: error, .. })) =
            self
        else {
            return false;
        };
        error.kind() == io::ErrorKind::BrokenPipe
    }
}

/// The store itself failed.
fn broken(error: &HistoryError) -> bool {
    matches!(
        error,
        HistoryError::File { .. }
            | HistoryError::Database { .. }
            | HistoryError::Migrate { .. }
            | HistoryError::Damaged { .. }
            | HistoryError::RecorderDied(_)
            | HistoryError::Export { .. }
    )
}

impl From<manager::Error> for Failure {
    fn from(error: manager::Error) -> Self {
        // A reference that cannot be resolved stands in what the user typed.
        if let manager::Error::Secret(secret) = &error {
            return Self::Usage(secret.to_string());
        }
        Self::Connection(error.to_string())
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        if let ClientError::TimedOut { .. } = &error {
            return Self::TimedOut(error.to_string());
        }
        Self::Connection(error.to_string())
    }
}
