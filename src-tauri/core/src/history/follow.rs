//! Hears of another process's records by asking for the last number.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use super::History;
use super::lock::Lock;
use super::reader::Shared;
use crate::record::Seq;

/// Below the 100 ms in which another process's record is to be seen. Asking costs some 30 µs.
const POLL: Duration = Duration::from_millis(50);
/// In how many rounds it is asked once whether the owner lives.
const OWNER_EVERY: u32 = 10;

/// Follows a file that this process does not write, until its owner has ended it or is gone.
pub(super) fn file(history: &History, shared: &Arc<Shared>) -> watch::Receiver<Seq> {
    let (sender, receiver) = watch::channel(Seq(0));
    let weak = Arc::downgrade(shared);
    let lock = history.lock_path(shared.id);
    history.spawn(async move {
        let mut ticks = interval(POLL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for round in 0_u32.. {
            ticks.tick().await;
            // Nobody reads the session any more.
            let Some(shared) = weak.upgrade() else { return };
            // Asked before the last number is: an owner that is gone wrote nothing after it.
            let alive = round % OWNER_EVERY != 0 || Lock::is_held(&lock);
            match shared.head().await {
                Ok(head) => sender.send_if_modified(|old| std::mem::replace(old, head) != head),
                Err(error) => {
                    tracing::warn!(%error, "cannot follow a session");
                    return;
                }
            };
            if !alive {
                return;
            }
        }
    });
    receiver
}
