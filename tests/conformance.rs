//! The published conformance suite against the client: `framescope-cli conformance` is what it drives. What fails must be
//! exactly what `tests/conformance-pending.txt` says, so that nothing is lost and nothing is gained unseen.

#![cfg(test)]

use std::collections::BTreeSet;
use std::fs::DirEntry;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use framescope_tests::peers::{conformance, program, root};

/// All scenarios of a revision take a tenth of this.
const SOON: Duration = Duration::from_secs(300);

/// Prints what the suite kept of a scenario that failed: its checks, and what the client wrote.
fn print_what_came(results: &Path, name: &str) {
    let of_it = |entry: &DirEntry| entry.file_name().to_string_lossy().starts_with(name);
    let entries = std::fs::read_dir(results).into_iter().flatten().flatten();
    for folder in entries.filter(of_it) {
        let files = std::fs::read_dir(folder.path()).into_iter().flatten();
        for file in files.flatten() {
            let said = std::fs::read_to_string(file.path()).unwrap_or_default();
            println!("== {}\n{said}", file.path().display());
        }
    }
}

/// Runs all client scenarios that a revision asks for: those that ran, and those that failed.
async fn scenarios(revision: &str) -> Option<(usize, BTreeSet<String>)> {
    let ([node, suite], cli) = (conformance()?, program("framescope-cli")?);
    let data = tempfile::tempdir().expect("a folder");
    let client = format!(
        "{} --quiet --timeout 10 --data-dir {} conformance",
        cli.display(),
        data.path().display()
    );
    let output = tokio::process::Command::new(node)
        .arg(suite)
        .args([
            "client",
            "--requirements",
            revision,
            "--timeout",
            "60000",
            "--command",
        ])
        .arg(client)
        .arg("-o")
        .arg(data.path().join("results"))
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(SOON, output).await;
    let output = output.expect("the suite ends").expect("the suite runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, summary) = said.split_once("=== SUITE SUMMARY ===").unwrap_or_else(|| {
        panic!(
            "no summary: {said}\n{}",
            String::from_utf8_lossy(&output.stderr)
        )
    });
    // Below the total each one that is not scored stands a second time.
    let (lines, _) = summary.split_once("Total:").expect("a total");
    let mut ran = 0;
    let mut failed = BTreeSet::new();
    for line in lines.lines() {
        let (mark, rest) = line.split_once(' ').unwrap_or_default();
        let Some((name, _)) = rest
            .split_once(": ")
            .filter(|_| "✓✗".contains(mark) && !mark.is_empty())
        else {
            continue;
        };
        ran += 1;
        if mark == "✗" {
            failed.insert(format!("{revision} {name}"));
            print_what_came(&data.path().join("results"), name);
        }
    }
    Some((ran, failed))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_of_the_conformance_suite_is_what_is_pending() {
    let pending =
        std::fs::read_to_string(root().join("tests/conformance-pending.txt")).expect("the list");
    let pending: BTreeSet<_> = pending
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    for line in &pending {
        assert!(
            line.contains(" auth/"),
            "{line}: only authorization may be pending"
        );
    }
    let mut found = BTreeSet::new();
    for (revision, at_least) in [("2025-11-25", 25), ("2026-07-28", 39)] {
        let Some((ran, failed)) = scenarios(revision).await else {
            return;
        };
        assert!(ran >= at_least, "{revision}: only {ran} scenarios ran");
        found.extend(failed);
    }
    let new: Vec<_> = found.difference(&pending).collect();
    let passed: Vec<_> = pending.difference(&found).collect();
    assert!(new.is_empty(), "these fail: {new:#?}");
    assert!(
        passed.is_empty(),
        "these pass now, take them out of the list: {passed:#?}"
    );
}
