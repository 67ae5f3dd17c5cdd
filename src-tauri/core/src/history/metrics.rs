//! How the recorders of this process do: what the status bar says.

use std::collections::VecDeque;

use parking_lot::Mutex;

use crate::record::Clock;

/// Over how long.
const WINDOW_US: i64 = 60_000_000;
const SECOND_US: i64 = 1_000_000;
/// Classes of latencies: class `n` holds those from 2^(n/4) to 2^((n+1)/4) µs, up to two minutes.
const CLASSES: usize = 108;

/// What the data folder takes on the disk, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Disk {
    /// All session files; not what is in the trash.
    pub sessions: u64,
    /// The catalogue.
    pub catalogue: u64,
}

/// How the recorders of this process do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// Records that were stored in the last second.
    pub per_second: u64,
    /// 99th percentile of the time from a record's stamp to its commit over the last minute, in microseconds, to a fifth.
    pub commit_p99_us: Option<i64>,
}

/// Counts what recorders commit.
#[derive(Debug)]
pub(super) struct Metrics {
    clock: Clock,
    seconds: Mutex<VecDeque<Second>>,
}

#[derive(Debug)]
struct Second {
    began_us: i64,
    records: u64,
    classes: [u32; CLASSES],
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            clock: Clock::start(),
            seconds: Mutex::default(),
        }
    }
}

impl Metrics {
    /// Records that were stamped at these moments are committed now, `now_us` on the same clock.
    pub(super) fn committed(&self, stamps: &[i64], now_us: i64) {
        let at_us = self.clock.now_us();
        let mut seconds = self.seconds.lock();
        forget(&mut seconds, at_us);
        let newest = seconds.back().map(|second| second.began_us);
        if newest.is_none_or(|began| at_us - began >= SECOND_US) {
            seconds.push_back(Second {
                began_us: at_us,
                records: 0,
                classes: [0; CLASSES],
            });
        }
        let Some(second) = seconds.back_mut() else {
            return;
        };
        second.records += stamps.len() as u64;
        for stamp in stamps {
            second.classes[class(now_us - stamp)] += 1;
        }
    }

    pub(super) fn pace(&self) -> Pace {
        self.pace_at(self.clock.now_us())
    }

    fn pace_at(&self, now_us: i64) -> Pace {
        let mut seconds = self.seconds.lock();
        forget(&mut seconds, now_us);
        let recent = seconds
            .iter()
            .filter(|second| now_us - second.began_us < 2 * SECOND_US);
        let per_second = recent.map(|second| second.records).max().unwrap_or(0);
        let mut all = [0_u64; CLASSES];
        for second in seconds.iter() {
            for (sum, count) in all.iter_mut().zip(second.classes) {
                *sum += u64::from(count);
            }
        }
        Pace {
            per_second,
            commit_p99_us: percentile(&all),
        }
    }
}

fn forget(seconds: &mut VecDeque<Second>, now_us: i64) {
    while seconds
        .front()
        .is_some_and(|second| now_us - second.began_us > WINDOW_US)
    {
        seconds.pop_front();
    }
}

/// Four classes for each power of two.
fn class(us: i64) -> usize {
    let us = us.max(1).unsigned_abs();
    let power = us.ilog2();
    let quarter = if power >= 2 {
        (us >> (power - 2)) & 3
    } else {
        0
    };
    (power as usize * 4 + usize::try_from(quarter).unwrap_or(0)).min(CLASSES - 1)
}

fn percentile(classes: &[u64; CLASSES]) -> Option<i64> {
    let total: u64 = classes.iter().sum();
    let rank = (total * 99).div_ceil(100).max(1);
    let mut seen = 0;
    let class = classes.iter().position(|count| {
        seen += count;
        seen >= rank
    })?;
    let (power, quarter) = (class / 4, class % 4);
    let low = 1_i64 << power;
    Some(low + low * i64::try_from(quarter).unwrap_or(0) / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_percentile_is_that_of_the_last_minute() {
        let metrics = Metrics::default();
        assert_eq!(metrics.pace(), Pace::default(), "nothing recorded yet");
        let stamps = vec![0; 98];
        metrics.committed(&stamps, 1_000);
        metrics.committed(&[0, 0], 40_000);
        let pace = metrics.pace();
        assert_eq!(pace.per_second, 100);
        let p99 = pace.commit_p99_us.unwrap();
        assert!((32_000..=40_000).contains(&p99), "two of a hundred: {p99}");
        metrics.committed(&vec![0; 900], 1_000);
        let p99 = metrics.pace().commit_p99_us.unwrap();
        assert!((800..=1_000).contains(&p99), "two of a thousand: {p99}");
        let later = metrics.pace_at(metrics.clock.now_us() + 2 * SECOND_US);
        assert_eq!(later.per_second, 0);
        let much_later = metrics.pace_at(metrics.clock.now_us() + 2 * WINDOW_US);
        assert_eq!(much_later, Pace::default());
    }

    #[test]
    fn a_class_holds_a_quarter_of_a_power_of_two() {
        for (us, expected) in [
            (-5, 0),
            (0, 0),
            (1, 0),
            (4, 8),
            (5, 9),
            (7, 11),
            (8, 12),
            (i64::MAX, CLASSES - 1),
        ] {
            assert_eq!(class(us), expected, "{us}");
        }
    }
}
