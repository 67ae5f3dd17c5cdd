//! What is decided before there is a window: the arguments, the display, the data folder.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

const USAGE: &str = "\
Framescope, a desktop inspector for people who write MCP servers

Usage: framescope               open the window
       framescope demo-server   run the built-in demo server on stdin and stdout

Options: --help, --version
FRAMESCOPE_DATA_DIR names another data folder; FRAMESCOPE_LOG sets what is logged (as RUST_LOG does).
The headless tool is framescope-cli.
";

/// What the arguments ask for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Window,
    DemoServer,
    Help,
    Version,
    Nothing(OsString),
}

/// Reads the arguments, without the program's own name.
pub(crate) fn wanted(mut args: impl Iterator<Item = OsString>) -> Wanted {
    let Some(first) = args.next() else {
        return Wanted::Window;
    };
    if let Some(more) = args.next() {
        return Wanted::Nothing(more);
    }
    match first.to_str() {
        Some("demo-server") => Wanted::DemoServer,
        Some("--help" | "-h") => Wanted::Help,
        Some("--version" | "-V") => Wanted::Version,
        Some(_) | None => Wanted::Nothing(first),
    }
}

/// Runs what the arguments ask for and answers the exit code.
pub fn start(args: impl Iterator<Item = OsString>) -> ExitCode {
    match wanted(args) {
        Wanted::Window => window(),
        Wanted::DemoServer => demo_server(),
        Wanted::Help => say(USAGE),
        Wanted::Version => say(&format!("framescope {}\n", env!("CARGO_PKG_VERSION"))),
        Wanted::Nothing(word) => fail(
            2,
            &format!("{} is not understood\n\n{USAGE}", word.to_string_lossy()),
        ),
    }
}

fn window() -> ExitCode {
    if let Some(problem) = no_display(|name| std::env::var_os(name)) {
        return fail(1, problem);
    }
    #[cfg(target_os = "linux")]
    if gtk::init().is_err() {
        return fail(
            1,
            "the display cannot be opened: DISPLAY or WAYLAND_DISPLAY names one that is gone or refuses this user",
        );
    }
    let dir = match framescope_core::data_dir() {
        Ok(dir) => dir,
        Err(error) => return fail(1, &error.to_string()),
    };
    match crate::app::run(&dir) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => fail(1, &problem),
    }
}

/// Without a display GTK panics; say what is missing instead.
fn no_display(variable: impl Fn(&str) -> Option<OsString>) -> Option<&'static str> {
    let set = |name| variable(name).is_some_and(|value| !value.is_empty());
    let missing = cfg!(target_os = "linux") && !set("DISPLAY") && !set("WAYLAND_DISPLAY");
    missing.then_some(
        "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set.\n\
         Start it from a desktop session, under `xvfb-run`, or use framescope-cli, which needs no window.",
    )
}

fn demo_server() -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return fail(1, &format!("cannot start the demo server: {error}")),
    };
    match runtime.block_on(framescope_demo::run_stdio()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(1, &format!("the demo server failed: {error}")),
    }
}

fn say(text: &str) -> ExitCode {
    // A reader that went away wants no more of it.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

fn fail(code: u8, text: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr().lock(), "framescope: {}", text.trim_end());
    ExitCode::from(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_decide_before_any_window() {
        for (args, expected) in [
            (vec![], Wanted::Window),
            (vec!["demo-server"], Wanted::DemoServer),
            (vec!["--help"], Wanted::Help),
            (vec!["-h"], Wanted::Help),
            (vec!["--version"], Wanted::Version),
            (vec!["--demo"], Wanted::Nothing("--demo".into())),
            (
                vec!["demo-server", "--http"],
                Wanted::Nothing("--http".into()),
            ),
        ] {
            assert_eq!(
                wanted(args.iter().map(OsString::from)),
                expected,
                "{args:?}"
            );
        }
    }

    #[test]
    fn a_missing_display_is_said_and_either_one_will_do() {
        let with = |set: &'static str, value: &'static str| {
            no_display(move |name| (name == set).then(|| OsString::from(value)))
        };
        assert_eq!(with("DISPLAY", ":0"), None);
        assert_eq!(with("WAYLAND_DISPLAY", "wayland-0"), None);
        assert_eq!(
            with("DISPLAY", "").is_some(),
            cfg!(target_os = "linux"),
            "an empty one is none"
        );
    }
}
