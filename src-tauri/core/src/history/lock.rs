//! The lock of a session's only writer: an OS lock on a file beside the session file. Never on the database itself:
//! closing a second descriptor of it would drop SQLite's own locks.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often the lock is tried again while others only ask for it, and after how many tries with a pause between them: whoever
/// asks may be kept from the processor while it holds the lock.
const TRIES: u32 = 1000;
const AT_ONCE: u32 = 100;
const PAUSE: Duration = Duration::from_millis(1);

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
        for tried in 0..TRIES {
            if was_free(file.try_lock())? {
                return Ok(Some(Self {
                    _file: file,
                    path: path.to_owned(),
                }));
            }
            // Whoever only asks shares the lock for a moment; whoever holds it shares it with nobody.
            if !was_free(file.try_lock_shared())? {
                return Ok(None);
            }
            file.unlock()?;
            if tried < AT_ONCE {
                std::thread::yield_now();
            } else {
                std::thread::sleep(PAUSE);
            }
        }
        Ok(None)
    }

    /// Removes what a process left behind that died between the end of its session and [`Self::release`].
    pub(super) fn clear(path: &Path) {
        let Ok(file) = OpenOptions::new().write(true).open(path) else {
            return;
        };
        if file.try_lock().is_ok() {
            // Where it cannot be removed it stays an empty file that nobody holds.
            let _ = std::fs::remove_file(path);
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

fn was_free(tried: Result<(), TryLockError>) -> io::Result<bool> {
    match tried {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
