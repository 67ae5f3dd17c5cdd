//! What can go wrong with the store, in words that name the file and the next step.

use std::io;
use std::path::{Path, PathBuf};

use super::filter::FilterProblem;
use crate::record::{Seq, SessionId};

/// The store could not do what was asked of it.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The data folder or a file in it cannot be used.
    #[error("this app could not {doing} {}: {source}", path.display())]
    File {
        /// What was attempted, e.g. `create the data folder`.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// The operating system's words.
        source: io::Error,
    },
    /// SQLite failed.
    #[error("this app could not {doing} {}: {source}", path.display())]
    Database {
        /// What was attempted, e.g. `read the session`.
        doing: &'static str,
        /// In which file.
        path: PathBuf,
        /// SQLite's words.
        source: sqlx::Error,
    },
    /// The catalogue could not be brought to this program's version.
    #[error("this app could not update the catalogue {}: {source}", path.display())]
    Migrate {
        /// The catalogue.
        path: PathBuf,
        /// SQLite's words.
        source: sqlx::migrate::MigrateError,
    },
    /// What was typed as a filter cannot be used.
    #[error(transparent)]
    Filter(#[from] FilterProblem),
    /// There is no such session.
    #[error("no session {word:?}: give an id, the beginning of one, or `last`")]
    NoSession {
        /// What was asked for.
        word: String,
    },
    /// More than one session begins so.
    #[error("{word:?} is the beginning of {} sessions ({}): give more of the id", ids.len(), few(ids))]
    Ambiguous {
        /// What was asked for.
        word: String,
        /// The sessions, newest first.
        ids: Vec<SessionId>,
    },
    /// There is no such record.
    #[error("session {id} has no record #{seq}")]
    NoRecord {
        /// The session.
        id: SessionId,
        /// What was asked for.
        seq: Seq,
    },
    /// The recorder broke down (a bug of this app).
    #[error(
        "this app's recorder of session {0} broke down: what it had stored is kept, please report it"
    )]
    RecorderDied(SessionId),
    /// The session exists already.
    #[error("session {0} exists already")]
    Exists(SessionId),
    /// Another server has that name.
    #[error("another server is called {name:?}: choose another name")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// The file is no session file.
    #[error("{} is not a Framescope session file or capture", path.display())]
    NotASession {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a newer program in a way that this one cannot read.
    #[error("{} has session format {format}, this program reads up to {}: update Framescope", path.display(), super::file::FORMAT)]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: i64,
    },
    /// A capture cannot be written.
    #[error("session {id} was not exported: {source}")]
    Export {
        /// The session.
        id: SessionId,
        /// The operating system's words.
        source: io::Error,
    },
    /// A capture file breaks off or holds something else.
    #[error("{} cannot be imported: line {line}: {why}", path.display())]
    Capture {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        why: String,
    },
    /// What is stored under this key of the catalogue or a session's `meta` cannot be read.
    #[error("{what} of {name} is damaged: {why}")]
    Damaged {
        /// What cannot be read.
        what: &'static str,
        /// Of which server or session.
        name: String,
        /// What is wrong with it.
        why: String,
    },
}

fn few(ids: &[SessionId]) -> String {
    let shown: Vec<_> = ids.iter().take(3).map(ToString::to_string).collect();
    let more = if ids.len() > shown.len() { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// Turns an error of SQLite into one that says what was attempted, and where.
pub(super) fn database(doing: &'static str, path: &Path) -> impl Fn(sqlx::Error) -> HistoryError {
    let path = path.to_owned();
    move |source| HistoryError::Database {
        doing,
        path: path.clone(),
        source,
    }
}

/// Turns an error of the operating system into one that says what was attempted, and where.
pub(super) fn file(doing: &'static str, path: &Path) -> impl Fn(io::Error) -> HistoryError {
    let path = path.to_owned();
    move |source| HistoryError::File {
        doing,
        path: path.clone(),
        source,
    }
}
