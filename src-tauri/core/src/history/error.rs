//! What can go wrong with the store, in words that name the file and the next step.

use std::io;
use std::path::{Path, PathBuf};

use super::filter::FilterProblem;
use crate::record::{Seq, SessionId};

/// The store could not do what was asked of it.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The data folder or a file in it cannot be used.
    #[error("this app could not {doing} {}: {source}{}", path.display(), file_advice(source))]
    File {
        /// What was attempted, e.g. `create the data folder`.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// The operating system's words.
        source: io::Error,
    },
    /// SQLite failed.
    #[error("this app could not {doing} {}: {}", path.display(), words(source))]
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
    /// It cannot be deleted.
    #[error("session {0} has not ended: close it, then delete it")]
    Alive(SessionId),
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
    /// The file was written before the first release.
    #[error("{} has session format {format}, from before the first release; this program reads {}: export it as a capture with the Framescope that wrote it, then import that", path.display(), super::file::FORMAT)]
    OlderFormat {
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
    /// The file is encrypted, and no passphrase was given.
    #[error("{} is encrypted: its passphrase is needed", path.display())]
    NeedsPassphrase {
        /// The file.
        path: PathBuf,
    },
    /// The passphrase does not open the file.
    #[error("the passphrase does not open {}: type it again", path.display())]
    WrongPassphrase {
        /// The file.
        path: PathBuf,
    },
    /// An encrypted file cannot be opened, whatever the passphrase.
    #[error("{} cannot be opened: {why}", path.display())]
    Sealed {
        /// The file.
        path: PathBuf,
        /// Why, and what helps.
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

/// What SQLite says, and what helps.
pub(super) fn words(error: &sqlx::Error) -> String {
    let Some(database) = error.as_database_error() else {
        return error.to_string();
    };
    // The low byte of the extended result code is the primary one (SQLite, Result and Error Codes).
    let code = database.code().and_then(|code| code.parse::<u32>().ok());
    let advice = match code.unwrap_or_default() & 0xff {
        BUSY | LOCKED => ". Another program holds it: end that one, then try again",
        READONLY => READ_ONLY,
        IO_ERROR => ". See whether the disk is full or failing, then try again",
        CORRUPT | NOT_A_DATABASE => {
            ". Move that file away: this app makes a new one, and lists the sessions from their own files"
        }
        FULL => NO_SPACE,
        CANNOT_OPEN => ". See whether it is a file that this user may write",
        _ => "",
    };
    format!("{}{advice}", database.message())
}

const BUSY: u32 = 5;
const LOCKED: u32 = 6;
const READONLY: u32 = 8;
const IO_ERROR: u32 = 10;
const CORRUPT: u32 = 11;
const FULL: u32 = 13;
const CANNOT_OPEN: u32 = 14;
const NOT_A_DATABASE: u32 = 26;

const NO_SPACE: &str = ". Make room on that disk, then try again";
const READ_ONLY: &str = ". It cannot be written: make it writable, or choose another data folder with FRAMESCOPE_DATA_DIR";

fn file_advice(error: &io::Error) -> &'static str {
    use io::ErrorKind as Kind;
    let is = |kinds: &[Kind]| kinds.contains(&error.kind());
    if is(&[Kind::NotADirectory, Kind::AlreadyExists]) {
        ". A file is in the way: move it, or choose another data folder with FRAMESCOPE_DATA_DIR"
    } else if is(&[Kind::ReadOnlyFilesystem, Kind::PermissionDenied]) {
        READ_ONLY
    } else if is(&[Kind::StorageFull, Kind::QuotaExceeded]) {
        NO_SPACE
    } else {
        ""
    }
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
