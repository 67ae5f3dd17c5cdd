//! Memory and handles of the app's processes: its own and WebKit's, not those of servers that it started.

use std::fs;

/// Proportional set sizes, KiB.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) app: u64,
    pub(crate) page: u64,
    pub(crate) other: u64,
}

impl Memory {
    pub(crate) fn all(self) -> u64 {
        self.app + self.page + self.other
    }
}

/// What the app's processes occupy.
pub(crate) fn memory(app: &str) -> Memory {
    let mut memory = Memory::default();
    for (pid, name) in family(app) {
        let taken = pss(&pid);
        if pid == app {
            memory.app += taken;
        } else if name.starts_with("WebKitWebProces") {
            memory.page += taken;
        } else if name.starts_with("WebKit") {
            memory.other += taken;
        }
    }
    memory
}

/// Open files of the app's processes.
pub(crate) fn handles(app: &str) -> usize {
    let of = |pid: &str| fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
    let webkit = family(app)
        .into_iter()
        .filter(|(pid, name)| pid == app || name.starts_with("WebKit"));
    webkit.map(|(pid, _)| of(&pid)).sum()
}

/// Proportional set size of one process, KiB.
fn pss(pid: &str) -> u64 {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

/// A process and all below it: number and name.
fn family(first: &str) -> Vec<(String, String)> {
    let all: Vec<_> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let pid = entry.file_name().into_string().ok()?;
            pid.parse::<u32>().ok()?;
            let (name, parent) = stat(&pid)?;
            Some((pid, name, parent))
        })
        .collect();
    let mut family: Vec<(String, String)> = Vec::new();
    let mut next = vec![first.to_owned()];
    while let Some(pid) = next.pop() {
        if let Some((_, name, _)) = all.iter().find(|(one, _, _)| *one == pid) {
            family.push((pid.clone(), name.clone()));
        }
        next.extend(
            all.iter()
                .filter(|(_, _, parent)| *parent == pid)
                .map(|(child, _, _)| child.clone()),
        );
    }
    family
}

fn stat(pid: &str) -> Option<(String, String)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (head, rest) = stat.rsplit_once(") ")?;
    let name = head.split_once('(')?.1.to_owned();
    Some((name, rest.split_whitespace().nth(1)?.to_owned()))
}

/// When a process was started, milliseconds since the epoch.
pub(crate) fn started_ms(pid: &str) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let ticks: f64 = stat
        .rsplit_once(") ")?
        .1
        .split_whitespace()
        .nth(19)?
        .parse()
        .ok()?;
    let uptime = fs::read_to_string("/proc/uptime").ok()?;
    let uptime: f64 = uptime.split_whitespace().next()?.parse().ok()?;
    let now = std::time::SystemTime::UNIX_EPOCH
        .elapsed()
        .ok()?
        .as_secs_f64();
    // A tick is a hundredth of a second wherever Linux runs.
    Some((now - uptime + ticks / 100.0) * 1e3)
}

/// `12.3 MB`.
#[allow(clippy::cast_precision_loss, reason = "a figure for people")]
pub(crate) fn mb(kib: u64) -> String {
    format!("{:.0} MB", kib as f64 * 1024.0 / 1e6)
}
