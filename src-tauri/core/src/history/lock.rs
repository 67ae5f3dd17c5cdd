//! The lock of a session's only writer: an OS lock on a file beside the session file. Never on the database itself:
//! closing a second descriptor of it would drop SQLite's own locks.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Held while its process lives; the OS gives it back when the process dies.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock; `None` where another holds it.
    pub(super) fn take(path: &Path) -> io::Result<Option<Self>> {
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self {
                _file: file,
                path: path.to_owned(),
            })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Whether a process holds the lock. Asks with a shared lock, so that those who ask do not see each other.
    pub(super) fn is_held(path: &Path) -> bool {
        let Ok(file) = File::open(path) else {
            return false;
        };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    /// Gives it back for good: the session will not be written again.
    pub(super) fn release(self) {
        // Where it cannot be removed it is an empty file that nobody holds.
        let _ = std::fs::remove_file(&self.path);
    }
}
