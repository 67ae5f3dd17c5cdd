//! Lists as they were read last, for as long as they may be shown without asking again (server/utilities/caching).

use std::collections::HashMap;

use parking_lot::Mutex;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::time::Instant;

use super::{Catalog, Listed};

/// The lists of a session. Each belongs to this session alone, so `cacheScope` makes no difference.
#[derive(Debug, Default)]
pub(super) struct Lists {
    kept: Mutex<HashMap<Catalog, Kept>>,
    changes: watch::Sender<u64>,
}

#[derive(Debug)]
struct Kept {
    listed: Listed<Box<RawValue>>,
    read: Instant,
}

impl Lists {
    /// A list was read.
    pub(super) fn keep(&self, what: Catalog, listed: Listed<Box<RawValue>>) {
        let read = Instant::now();
        self.kept.lock().insert(what, Kept { listed, read });
    }

    /// A list where nothing says that it may be another one now.
    pub(super) fn fresh(&self, what: Catalog) -> Option<Listed<Box<RawValue>>> {
        let kept = self.kept.lock();
        let Kept { listed, read } = kept.get(&what)?;
        let fresh = listed.cache.ttl.is_none_or(|ttl| read.elapsed() < ttl);
        fresh.then(|| listed.clone())
    }

    /// The server says that something has changed.
    pub(super) fn heard(&self, method: &str) {
        for what in Catalog::changed_by(method) {
            self.kept.lock().remove(what);
        }
    }

    /// Another connection has taken the place of the one that they were read over.
    pub(super) fn forget(&self) {
        self.kept.lock().clear();
    }

    /// A list that has changed was read again.
    pub(super) fn tell(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}
