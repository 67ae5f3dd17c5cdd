//! Figures with their limits.

use std::io::Write;
use std::time::{Duration, Instant};

/// All figures of a run.
#[derive(Debug, Default)]
pub(crate) struct Report {
    lines: Vec<String>,
}

impl Report {
    /// A figure, and what it is beside.
    pub(crate) fn line(&mut self, what: &str, figure: &str, beside: &str) {
        let line = format!("{what:<58} {figure:>14}   {beside}");
        let _ = writeln!(std::io::stderr(), "{line}");
        self.lines.push(line);
    }

    /// A figure beside the wanted one, and whether that is held.
    pub(crate) fn held(&mut self, what: &str, figure: &str, wanted: &str, holds: bool) {
        let mark = if holds { "" } else { "   SHORT" };
        self.line(what, figure, &format!("wanted {wanted}{mark}"));
    }

    /// Prints them on stdout, the machine first.
    pub(crate) fn print(&self) {
        let model = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = model
            .lines()
            .find_map(|line| line.strip_prefix("model name"))
            .unwrap_or(": unknown processor");
        let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
        let head = format!(
            "{} × {cores}, {}",
            model.trim_start_matches(['\t', ':', ' ']),
            std::env::consts::OS
        );
        let _ = writeln!(std::io::stdout(), "{head}\n{}", self.lines.join("\n"));
    }
}

/// Sorted times of `n` runs after `warm` uncounted ones.
pub(crate) fn times(warm: usize, n: usize, mut run: impl FnMut()) -> Vec<Duration> {
    for _ in 0..warm {
        run();
    }
    let mut times: Vec<Duration> = (0..n).map(|_| timed(&mut run)).collect();
    times.sort();
    times
}

#[allow(
    clippy::disallowed_methods,
    reason = "measuring is what this program is for"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// A task beside what is measured.
#[allow(
    clippy::disallowed_methods,
    reason = "its end is awaited where it was started"
)]
pub(crate) fn beside<T: Send + 'static>(
    task: impl Future<Output = T> + Send + 'static,
) -> tokio::task::JoinHandle<T> {
    tokio::spawn(task)
}

fn timed(run: &mut impl FnMut()) -> Duration {
    let start = now();
    run();
    start.elapsed()
}

/// A quantile of sorted times.
pub(crate) fn quantile(sorted: &[Duration], part: f64) -> Duration {
    let last = sorted.len().saturating_sub(1);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index below the length"
    )]
    let index = (last as f64 * part) as usize;
    sorted.get(index).copied().unwrap_or_default()
}

/// `12.5 µs`, `1.2 ms`.
pub(crate) fn shown(time: Duration) -> String {
    let us = time.as_secs_f64() * 1e6;
    if us < 1000.0 {
        format!("{us:.1} µs")
    } else {
        format!("{:.2} ms", us / 1000.0)
    }
}
