//! Time: monotone inside a session, readable outside.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// An anchor of the monotone clock in the wall clock; the only place where time enters.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    mono: Instant,
    wall_us: i64,
}

impl Clock {
    /// Anchors the clock now.
    #[allow(clippy::disallowed_methods, reason = "the one place where time enters")]
    pub fn start() -> Self {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Self { mono: Instant::now(), wall_us: i64::try_from(wall.as_micros()).unwrap_or(i64::MAX) }
    }

    /// Microseconds since the Unix epoch; never runs backwards for one clock.
    #[allow(clippy::disallowed_methods, reason = "the one place where time enters")]
    pub fn now_us(&self) -> i64 {
        let elapsed = Instant::now().saturating_duration_since(self.mono);
        self.wall_us.saturating_add(i64::try_from(elapsed.as_micros()).unwrap_or(i64::MAX))
    }
}
