//! What can go wrong with a wire. Each message names the party and what was attempted.

use super::HttpError;
use crate::record::NotRecording;

/// A wire could not be opened or used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TransportError {
    /// The command is in no folder of `PATH`.
    #[error(
        "this app could not find `{command}` in any of {folders} PATH folders; no process was started. Give its full \
         path, or set PATH in the server's environment. Searched was {path}"
    )]
    NotFound {
        /// The command as configured.
        command: String,
        /// How many folders were searched.
        folders: usize,
        /// The `PATH` that was searched.
        path: String,
    },
    /// The command names a file that does not exist or cannot be executed.
    #[error(
        "this app could not start `{path}`: {why}; no process was started. Check the command of the server"
    )]
    NotExecutable {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The working directory does not exist.
    #[error(
        "this app could not start `{command}`: its working directory `{cwd}` is no folder; no process was started. Make it, \
         or correct the working directory of the server"
    )]
    NoFolder {
        /// The command as configured.
        command: String,
        /// The folder as configured.
        cwd: String,
    },
    /// The operating system refused to start the process.
    #[error(
        "this app could not start `{executable}`: {why}; no process was started. Check the command of the server: try it in a \
         terminal"
    )]
    Spawn {
        /// The file that was to be started.
        executable: String,
        /// The operating system's words.
        why: String,
    },
    /// The wire is closed.
    #[error("the connection is closed; nothing was sent")]
    Closed,
    /// The queue of messages to be written is full.
    #[error("not sent: {waiting} messages already wait for the server to read its input")]
    Congested {
        /// How many.
        waiting: usize,
    },
    /// An HTTP exchange brought no answer.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The log cannot be written, and what is not recorded is not sent.
    #[error(transparent)]
    NotRecording(#[from] NotRecording),
}
