//! Time: monotone inside a session, readable outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How far the wall clock may run ahead before it counts as moved.
const DRIFT_US: i64 = 1_000_000;

/// An anchor of the monotone clock in the wall clock; the only place where time enters. Clones share the anchor.
#[derive(Clone, Debug)]
pub struct Clock {
    mono: Instant,
    wall_us: i64,
    /// By how much the anchor was moved forward since.
    moved_us: Arc<AtomicI64>,
}

/// What both clocks show at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    mono: Instant,
    wall_us: i64,
}

impl Moment {
    #[allow(clippy::disallowed_methods, reason = "the one place where time enters")]
    pub(super) fn now() -> Self {
        let wall = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or(Duration::ZERO);
        Self {
            mono: Instant::now(),
            wall_us: micros(wall),
        }
    }

    /// This moment, `mono` later on the monotone clock and `wall_us` later on the wall clock.
    #[cfg(test)]
    pub(super) fn later(self, mono: Duration, wall_us: i64) -> Self {
        Self {
            mono: self.mono + mono,
            wall_us: self.wall_us + wall_us,
        }
    }
}

impl Clock {
    /// Anchors the clock now.
    pub fn start() -> Self {
        Self::anchored(Moment::now())
    }

    pub(super) fn anchored(at: Moment) -> Self {
        Self {
            mono: at.mono,
            wall_us: at.wall_us,
            moved_us: Arc::default(),
        }
    }

    /// The same clock, had the wall clock been that much slower at its start.
    #[cfg(test)]
    pub(crate) fn set_back_by(self, us: i64) -> Self {
        Self {
            wall_us: self.wall_us - us,
            ..self
        }
    }

    /// Microseconds since the Unix epoch; never runs backwards for one clock.
    pub fn now_us(&self) -> i64 {
        self.us(Moment::now())
    }

    pub(super) fn us(&self, at: Moment) -> i64 {
        let elapsed = micros(at.mono.saturating_duration_since(self.mono));
        self.wall_us
            .saturating_add(elapsed)
            .saturating_add(self.moved_us.load(Ordering::Relaxed))
    }

    /// Where the wall clock ran ahead by more than a second (the monotone clock stands still while a machine sleeps), moves
    /// the anchor along and says by how much. A wall clock that was set back is ignored. One caller at a time.
    pub(super) fn follow(&self, at: Moment) -> Option<i64> {
        let drift = at.wall_us.saturating_sub(self.us(at));
        if drift <= DRIFT_US {
            return None;
        }
        self.moved_us.fetch_add(drift, Ordering::Relaxed);
        Some(drift)
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
