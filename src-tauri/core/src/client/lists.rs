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
        self.changes.send_modify(|count| *count += 1);
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
        let whats = Catalog::changed_by(method);
        if whats.is_empty() {
            return;
        }
        let mut kept = self.kept.lock();
        for what in whats {
            kept.remove(what);
        }
        drop(kept);
        self.changes.send_modify(|count| *count += 1);
    }

    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}
