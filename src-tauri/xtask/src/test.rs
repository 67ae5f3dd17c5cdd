//! `cargo xtask test`: everything, counted.

use std::process::Command;
use std::time::Instant;

use crate::display::Display;
use crate::proc::{Outcome, cargo, command, exec, output, root, run_lines, say};
use crate::run::programs;
use crate::{licences, setup};

/// What ran. A check counts as one test.
#[derive(Debug, Default)]
struct Count {
    passed: u64,
    failed: u64,
    skipped: u64,
    failures: Vec<String>,
}

pub(crate) fn test() -> Outcome {
    setup::node()?;
    setup::packages(setup::BUILD_PACKAGES)?;
    setup::packages(setup::HEADLESS_PACKAGES)?;
    setup::packages(setup::FONT_PACKAGES)?;
    setup::packages(setup::BROWSER_PACKAGES)?;
    setup::packages(setup::KEYCHAIN_PACKAGES)?;
    setup::npm_ci("ui")?;
    licences::write()?;
    setup::peers()?;

    let mut count = Count::default();
    count.check("format", || exec(&mut cargo(&["fmt", "--all", "--check"])));
    count.check("types of the page", || {
        npm(&["run", "--silent", "typecheck"])
    });
    count.check("style of the page", || npm(&["run", "--silent", "lint"]));
    count.vitest("tests of the page", "test");
    count.vitest("the page in Chromium", "test:browser");
    count.check("build of the page", || npm(&["run", "--silent", "build"]));
    count.check("clippy", clippy);
    count.check("core without Tauri", core_without_tauri);
    count.check("programs", || {
        exec(&mut cargo(&[
            "build",
            "--package",
            "framescope",
            "--package",
            "framescope-cli",
        ]))
    });
    count.cargo_test(
        "unit and integration tests",
        &mut cargo(&["test", "--no-fail-fast"]),
    );
    count.cargo_test(
        "tests of the shell",
        &mut cargo(&["test", "--package", "framescope", "--no-fail-fast"]),
    );
    count.check("bindings are fresh", bindings_fresh);
    count.journeys();
    count.report()
}

/// Writes the page's types from the Rust ones.
pub(crate) fn write_bindings() -> Outcome {
    exec(&mut cargo(&[
        "test",
        "--quiet",
        "--package",
        "framescope",
        "--lib",
        "export_bindings",
    ]))
}

fn npm(args: &[&str]) -> Outcome {
    exec(command("npm", args).current_dir(root().join("ui")))
}

fn clippy() -> Outcome {
    exec(&mut cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--features",
        "framescope-tests/e2e",
        "--quiet",
        "--",
        "--deny",
        "warnings",
    ]))
}

fn core_without_tauri() -> Outcome {
    match output(
        "cargo",
        &["tree", "--package", "framescope-core", "--invert", "tauri"],
    ) {
        None => Ok(()),
        Some(tree) => Err(format!("framescope-core depends on tauri:\n{tree}")),
    }
}

fn bindings_fresh() -> Outcome {
    let changed =
        output("git", &["status", "--porcelain", "ui/src/ipc/bindings"]).unwrap_or_default();
    if changed.trim().is_empty() {
        return Ok(());
    }
    Err(format!(
        "ui/src/ipc/bindings is not what the Rust types say; commit what `cargo xtask bindings` writes:\n{changed}"
    ))
}

impl Count {
    fn check(&mut self, name: &str, work: impl FnOnce() -> Outcome) {
        let start = begin(name);
        match work() {
            Ok(()) => self.passed += 1,
            Err(message) => self.fail(name, &message),
        }
        end(name, start);
    }

    /// A run of cargo's test harness: its own counts, plus the skips that tests note.
    fn cargo_test(&mut self, name: &str, tests: &mut Command) {
        let skips = programs("").join("skips.txt");
        let _ = std::fs::write(&skips, "");
        let built = programs("debug");
        tests
            .env("FRAMESCOPE_SKIPS", &skips)
            .env("FRAMESCOPE_CLI", built.join("framescope-cli"))
            .env("FRAMESCOPE_APP", built.join("framescope"));
        self.suite(name, tests, "test result: ");
        let noted = std::fs::read_to_string(&skips).unwrap_or_default();
        for line in noted.lines() {
            say(&format!("SKIPPED {line}"));
            // A test that returns early counts as passed with cargo.
            self.passed = self.passed.saturating_sub(1);
            self.skipped += 1;
        }
    }

    fn vitest(&mut self, name: &str, script: &str) {
        let mut vitest = command("npm", &["run", "--silent", script]);
        vitest.current_dir(root().join("ui")).env("NO_COLOR", "1");
        self.suite(name, &mut vitest, "Tests ");
    }

    /// Runs a test runner and adds up the lines in which it counts.
    fn suite(&mut self, name: &str, tests: &mut Command, counts: &str) {
        let start = begin(name);
        let (mut passed, mut failed) = (0, 0);
        let outcome = run_lines(tests, |line| {
            if let Some(result) = line.trim().strip_prefix(counts) {
                passed += number_before(result, " passed");
                failed += number_before(result, " failed");
                self.skipped +=
                    number_before(result, " ignored") + number_before(result, " skipped");
            }
        });
        self.passed += passed;
        self.failed += failed;
        match outcome {
            Ok(()) if passed == 0 => self.fail(name, "no test ran"),
            Ok(()) => {}
            Err(message) if failed == 0 => self.fail(name, &message),
            Err(message) => self.failures.push(format!("{name}: {message}")),
        }
        end(name, start);
    }

    /// The user journeys, on the real app under Xvfb.
    fn journeys(&mut self) {
        let name = "journeys on the real app";
        match Display::start() {
            Err(message) => self.fail(name, &message),
            Ok(display) => {
                let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
                let args = [
                    "test",
                    "--package",
                    "framescope-tests",
                    "--features",
                    "e2e",
                    "--test",
                    "e2e",
                ];
                let mut tests = display.command(&cargo, &args);
                tests.args(["--no-fail-fast", "--", "--test-threads=1"]);
                self.cargo_test(name, &mut tests);
            }
        }
    }

    fn fail(&mut self, name: &str, message: &str) {
        self.failed += 1;
        say(&format!("FAILED {name}: {message}"));
        self.failures.push(format!("{name}: {message}"));
    }

    /// Prints what failed, and last the counts. On CI a skip is a failure: everything that a test needs is there.
    fn report(mut self) -> Outcome {
        if self.skipped > 0 && std::env::var_os("CI").is_some() {
            self.failures.push(format!(
                "{} skipped, and on CI nothing may skip",
                self.skipped
            ));
        }
        let ok = self.failures.is_empty() && self.failed == 0;
        for failure in std::mem::take(&mut self.failures) {
            say(&format!("FAILED {failure}"));
        }
        let line = format!(
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        );
        if ok {
            say(&line);
            return Ok(());
        }
        Err(line)
    }
}

/// The number in front of a word: `12` for ` passed` in `ok. 12 passed; 0 failed`.
fn number_before(text: &str, word: &str) -> u64 {
    let Some(end) = text.find(word) else { return 0 };
    let head = &text[..end];
    let start = head
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| at + 1);
    head[start..].parse().unwrap_or(0)
}

#[allow(
    clippy::disallowed_methods,
    reason = "wall time of a build step, shown to a person"
)]
fn begin(name: &str) -> Instant {
    say(&format!("\n== {name}"));
    Instant::now()
}

fn end(name: &str, start: Instant) {
    say(&format!(
        "== {name}: {:.1} s",
        start.elapsed().as_secs_f64()
    ));
}
