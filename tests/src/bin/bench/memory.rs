//! Memory: that of this process while a million frames go through it, and what one large message takes at its peak.

use std::process::Command;
use std::time::Duration;

use framescope_core::client::{Draft, Outcome};
use framescope_core::record::Seq;
use tokio::sync::watch;

use crate::Error;
use crate::report::Report;
use crate::stdio::connect;

/// Records after which memory is looked at.
const MARKS: [u64; 3] = [100_000, 500_000, 1_000_000];
/// A message just below the parse limit of 64 MiB.
const LARGE: u64 = 63 << 20;

/// What this process occupies at each mark of a log that grows, in KiB.
pub(crate) async fn at_marks(mut head: watch::Receiver<Seq>) -> Vec<u64> {
    let mut seen = Vec::new();
    for mark in MARKS {
        if head.wait_for(|head| head.0 >= mark).await.is_err() {
            break;
        }
        seen.extend(of_self("VmRSS"));
    }
    seen
}

pub(crate) fn flat(report: &mut Report, seen: &[u64]) {
    let (Some(first), Some(last)) = (seen.first(), seen.last()) else {
        return;
    };
    let all: Vec<_> = seen.iter().map(|kib| format!("{:.1}", mib(*kib))).collect();
    report.line(
        "memory after 100 k, 500 k, 1 M frames",
        &format!("{:+.1} MiB", mib(*last) - mib(*first)),
        &format!("{} MiB; wanted flat", all.join(", ")),
    );
}

/// One answer of that size, then the largest size that this process has had.
pub(crate) async fn peak(size: u64) -> Result<u64, Error> {
    let folder = tempfile::tempdir()?;
    let (manager, id, client) = connect(folder.path()).await?;
    let draft = Draft {
        method: "big".into(),
        params: Some(format!(r#"{{"size":{size}}}"#)),
        timeout: Some(Duration::from_secs(100)),
        ..Draft::default()
    };
    let outcome = client.call(&draft).await?.outcome().await;
    manager.close(id).await?;
    if let Outcome::Reply { .. } = outcome {
        return of_self("VmHWM").ok_or_else(|| "no /proc here".into());
    }
    Err("the echo server did not answer".into())
}

/// Compares processes that did the same with a small and with a large answer.
pub(crate) fn large(report: &mut Report) -> Result<(), Error> {
    if of_self("VmHWM").is_none() {
        return Ok(());
    }
    let run = |size: u64| -> Result<u64, Error> {
        let bench = std::env::current_exe()?;
        let out = Command::new(bench)
            .args(["peak", &size.to_string()])
            .output()?;
        Ok(String::from_utf8(out.stdout)?.trim().parse()?)
    };
    let taken = mib(run(LARGE)?) - mib(run(300)?);
    report.line(
        "memory that an answer of 63 MiB takes at its peak",
        &format!("{taken:.0} MiB"),
        &format!("{:.2} × its size; wanted ≤ 2 ×", taken / 63.0),
    );
    Ok(())
}

/// A line of this process's status, in KiB; none where the system has no such file.
fn of_self(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[allow(clippy::cast_precision_loss, reason = "a figure for people")]
fn mib(kib: u64) -> f64 {
    kib as f64 / 1024.0
}
