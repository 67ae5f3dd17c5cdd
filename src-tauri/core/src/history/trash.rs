//! Deleting sessions: into `sessions/.trash`, from where they can be had back for seven days; and retention, which deletes
//! what the user wants to have deleted by itself.

use std::path::{Path, PathBuf};
use std::sync::Weak;

use super::error::{HistoryError, file};
use super::lock::Lock;
use super::types::{SessionQuery, SessionState, SessionSummary};
use super::{Disk, History};
use crate::record::{Clock, SessionId};

/// How long a deleted session can be had back.
const KEPT_US: i64 = 7 * DAY_US;
const DAY_US: i64 = 24 * 3600 * 1_000_000;
/// A session file, and what SQLite may have beside it.
const PARTS: [&str; 3] = ["", "-wal", "-shm"];

/// Which sessions are deleted by themselves; pinned ones and those that live never are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Those that ended longer ago than so many days.
    pub days: Option<u32>,
    /// The oldest ones, as long as all together take more bytes.
    pub bytes: Option<u64>,
}

impl History {
    /// Moves a session to the trash.
    ///
    /// # Errors
    /// [`HistoryError::Alive`] where it has not ended.
    pub async fn delete(&self, id: SessionId) -> Result<(), HistoryError> {
        let state = self.session(id).await?.state;
        if matches!(state, SessionState::Live | SessionState::LiveElsewhere) {
            return Err(HistoryError::Alive(id));
        }
        let (path, lock_path) = (self.session_path(id), self.lock_path(id));
        let lock = Lock::take(&lock_path).map_err(file("lock the session", &lock_path))?;
        let lock = lock.ok_or(HistoryError::Alive(id))?;
        let now_us = Clock::start().now_us();
        let trash = self.trash();
        std::fs::create_dir_all(&trash).map_err(file("create the trash", &trash))?;
        let target = trash.join(format!("{id}.{now_us}.framescope"));
        let moved = async { move_file(&path, &target) };
        let mut readers = self.readers().lock().await;
        let moved = match readers.remove(&id).as_ref().and_then(Weak::upgrade) {
            Some(shared) => shared.closed_while(moved).await,
            None => moved.await,
        };
        drop(readers);
        lock.release();
        moved?;
        self.catalogue().set_deleted(id, Some(now_us)).await?;
        self.bump();
        Ok(())
    }

    /// Takes a session back out of the trash.
    ///
    /// # Errors
    /// Where it is not there any more.
    pub async fn restore(&self, id: SessionId) -> Result<(), HistoryError> {
        let none = || HistoryError::NoSession {
            word: id.to_string(),
        };
        let found = self.in_trash()?.into_iter().find(|item| item.id == id);
        let found = found.ok_or_else(none)?;
        move_file(&found.path, &self.session_path(id))?;
        self.catalogue().set_deleted(id, None).await?;
        // The catalogue may have been lost meanwhile.
        self.rebuild(false).await?;
        self.bump();
        Ok(())
    }

    /// Deletes for good what has been in the trash for seven days.
    pub fn purge(&self) -> Result<(), HistoryError> {
        let oldest_us = Clock::start().now_us() - KEPT_US;
        for item in self.in_trash()? {
            if item.deleted_us < oldest_us {
                for path in PARTS.map(|part| beside(&item.path, part)) {
                    let _ = std::fs::remove_file(path);
                }
            }
        }
        Ok(())
    }

    /// Moves to the trash what the limits say; answers which sessions. One that cannot be moved is left.
    pub async fn retain(&self, limits: Limits) -> Result<Vec<SessionId>, HistoryError> {
        if limits == Limits::default() {
            return Ok(Vec::new());
        }
        let now_us = Clock::start().now_us();
        let sessions = self.sessions(&SessionQuery::default()).await?;
        let mut bytes: u64 = sessions.iter().map(|s| self.file_size(s.id)).sum();
        let mut deleted = Vec::new();
        for session in sessions.iter().rev() {
            let over = limits.bytes.is_some_and(|limit| bytes > limit);
            let old = limits
                .days
                .is_some_and(|days| is_old(session, now_us - i64::from(days) * DAY_US));
            let ended = matches!(session.state, SessionState::Ended | SessionState::OwnerGone);
            if session.pinned || !ended || !(over || old) {
                continue;
            }
            let size = self.file_size(session.id);
            match self.delete(session.id).await {
                Ok(()) => {
                    bytes = bytes.saturating_sub(size);
                    deleted.push(session.id);
                }
                Err(error) => tracing::warn!(%error, "a session was not deleted"),
            }
        }
        Ok(deleted)
    }

    /// Bytes of a session's file and what belongs to it.
    fn file_size(&self, id: SessionId) -> u64 {
        let path = self.session_path(id);
        let sizes = PARTS.map(|part| std::fs::metadata(beside(&path, part)).map_or(0, |m| m.len()));
        sizes.iter().sum()
    }

    /// What the data folder takes on the disk. It reads a folder with a file for each session: not on an async thread.
    pub fn disk(&self) -> Disk {
        let size = |folder: &Path, wanted: &dyn Fn(&str) -> bool| -> u64 {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let files = entries.filter(|entry| wanted(&entry.file_name().to_string_lossy()));
            files
                .filter_map(|entry| entry.metadata().ok())
                .filter(std::fs::Metadata::is_file)
                .map(|metadata| metadata.len())
                .sum()
        };
        Disk {
            sessions: size(&self.dir().join("sessions"), &|_| true),
            catalogue: size(self.dir(), &|name| name.starts_with("framescope.db")),
        }
    }

    fn trash(&self) -> PathBuf {
        self.dir().join("sessions").join(".trash")
    }

    fn in_trash(&self) -> Result<Vec<Item>, HistoryError> {
        let trash = self.trash();
        if !trash.exists() {
            return Ok(Vec::new());
        }
        let failed = file("read the trash", &trash);
        let mut items = Vec::new();
        for entry in std::fs::read_dir(&trash).map_err(&failed)? {
            items.extend(Item::of(entry.map_err(&failed)?.path()));
        }
        // Of one that was deleted twice, the newest.
        items.sort_by_key(|item| std::cmp::Reverse(item.deleted_us));
        Ok(items)
    }
}

/// A file in the trash.
struct Item {
    path: PathBuf,
    id: SessionId,
    deleted_us: i64,
}

impl Item {
    fn of(path: PathBuf) -> Option<Self> {
        let name = path.file_name()?.to_str()?.strip_suffix(".framescope")?;
        let (id, deleted_us) = name.split_once('.')?;
        let (id, deleted_us) = (id.parse().ok()?, deleted_us.parse().ok()?);
        Some(Self {
            path,
            id,
            deleted_us,
        })
    }
}

fn is_old(session: &SessionSummary, before_us: i64) -> bool {
    session.ended_us.unwrap_or(session.started_us) < before_us
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The parts beside the file first: where it breaks off, the file itself has not moved and still finds them at one place.
fn move_file(from: &Path, to: &Path) -> Result<(), HistoryError> {
    for part in PARTS.iter().rev() {
        let (from, to) = (beside(from, part), beside(to, part));
        if from.exists() {
            std::fs::rename(&from, &to).map_err(file("move the session", &from))?;
        }
    }
    Ok(())
}
