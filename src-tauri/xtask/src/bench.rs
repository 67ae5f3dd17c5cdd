//! `cargo xtask bench`: figures of a release build.

use crate::display::Display;
use crate::proc::{Outcome, cargo, command, exec, output, say};
use crate::run::{programs, set_up_page};
use crate::setup;

/// `rivals`: beside the official command line tool.
pub(crate) fn bench(rivals: bool) -> Outcome {
    setup::node()?;
    set_up_page()?;

    let build = [
        "build",
        "--release",
        "--package",
        "framescope-cli",
        "--package",
        "framescope-tests",
    ];
    exec(cargo(&build).args([
        "--features",
        "framescope-tests/bench",
        "--bin",
        "bench",
        "--bin",
        "framescope-cli",
    ]))?;
    let bench = programs("release")
        .join("bench")
        .to_string_lossy()
        .into_owned();
    let mut all = command(&bench, &[]);
    if rivals {
        all.arg("--rival").args(setup::rival()?).arg("--cli");
    }
    exec(&mut all)?;
    if output("taskset", &["--version"]).is_none() {
        say("No `taskset` here: the round trip with both ends on one core is left out.");
        return Ok(());
    }
    say("\nBoth ends on one core:");
    exec(&mut command(
        "taskset",
        &["--cpu-list", "0", &bench, "round-trip"],
    ))
}

/// The desktop app's figures, on a display of its own. `words`: which of them, and `rivals`.
pub(crate) fn bench_app(words: &[&str]) -> Outcome {
    setup::node()?;
    setup::packages(setup::BUILD_PACKAGES)?;
    setup::packages(setup::HEADLESS_PACKAGES)?;
    set_up_page()?;
    let build = ["build", "--release", "--package"];
    exec(cargo(&build).arg("framescope"))?;
    exec(cargo(&build).args([
        "framescope-tests",
        "--features",
        "framescope-tests/bench",
        "--bin",
        "bench",
    ]))?;
    let bench = programs("release").join("bench");
    let display = Display::start()?;
    exec(
        display
            .command(&bench.to_string_lossy(), &["app"])
            .args(words),
    )
}
