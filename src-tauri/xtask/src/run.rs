//! `cargo xtask run`: from a fresh clone to the open app.

use crate::display::{self, Display};
use crate::proc::{Outcome, cargo, command, exec, root, say};
use crate::setup;

pub(crate) fn run() -> Outcome {
    setup::node()?;
    setup::packages(setup::BUILD_PACKAGES)?;
    setup::npm_ci("ui")?;
    exec(command("npm", &["run", "--silent", "build"]).current_dir(root().join("ui")))?;
    if display::present() {
        run_here()
    } else {
        tour()
    }
}

fn run_here() -> Outcome {
    exec(&mut cargo(&["run", "--package", "framescope"]))
}

/// Without a display: the same app under Xvfb, driven through one call of the demo server.
fn tour() -> Outcome {
    say("No display here: running under Xvfb, driven through WebDriver.");
    setup::packages(setup::HEADLESS_PACKAGES)?;
    exec(&mut cargo(&[
        "build",
        "--package",
        "framescope",
        "--package",
        "framescope-cli",
    ]))?;
    exec(&mut cargo(&[
        "build",
        "--package",
        "framescope-tests",
        "--features",
        "e2e",
        "--bin",
        "tour",
    ]))?;
    let display = Display::start()?;
    let tour = test_binary("tour");
    let picture = root().join("target/framescope.png");
    let picture = picture.to_string_lossy();
    exec(&mut display.command(&tour, &[&picture]))
}

/// Path of a program that cargo built.
pub(crate) fn test_binary(name: &str) -> String {
    target()
        .join("debug")
        .join(name)
        .to_string_lossy()
        .into_owned()
}

fn target() -> std::path::PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), |folder| root().join(folder))
}
