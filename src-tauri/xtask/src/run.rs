//! `cargo xtask run`: from a fresh clone to the open app.

use std::path::PathBuf;

use crate::display::{self, Display};
use crate::proc::{Outcome, cargo, command, exec, root, say};
use crate::{licences, setup};

pub(crate) fn run() -> Outcome {
    setup::node()?;
    setup::packages(setup::BUILD_PACKAGES)?;
    setup::say_missing_fonts();
    set_up_page()?;
    if display::present() {
        return exec(&mut cargo(&["run", "--package", "framescope"]));
    }
    tour()
}

/// Installs the page's packages and builds it.
pub(crate) fn set_up_page() -> Outcome {
    setup::npm_ci("ui")?;
    licences::write()?;
    exec(command("npm", &["run", "--silent", "build"]).current_dir(root().join("ui")))
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
    let picture = programs("").join("framescope.png");
    let tour = programs("debug").join("tour");
    exec(&mut display.command(&tour.to_string_lossy(), &[&picture.to_string_lossy()]))
}

/// Where cargo puts the programs of a profile.
pub(crate) fn programs(profile: &str) -> PathBuf {
    let told = std::env::var_os("CARGO_TARGET_DIR").map(|folder| root().join(folder));
    told.unwrap_or_else(|| root().join("target")).join(profile)
}
