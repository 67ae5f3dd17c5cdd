//! Build entry points: `cargo xtask run`, `cargo xtask test` and others. Each does its own set-up.

mod bench;
mod compat;
mod display;
mod licences;
mod proc;
mod run;
mod setup;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <command>

  run        set up, build, and open the app with the demo server
             (without a display: the same under Xvfb, a call of the weather tool, a screenshot, the timeline)
  test       set up and run every check and test; the last line counts them
  bench      print the figures of a release build, each beside its limit
             (--rivals: also those of the official command line tool, installed from npm)
             --app [WORDS]: of the real app under Xvfb, or some: start calls results bursts tools history soak
  compat     try published servers, or those NAMED (`compat NAME…`), and write docs/compatibility.md
  bindings   write the page's types (ui/src/ipc/bindings) from the Rust ones
  licences   write what the about box lists (ui/generated/licences.json); `run`, `test` and `bench` do so too";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["run"] => run::run(),
        ["test"] => test::test(),
        ["bench"] => bench::bench(false),
        ["bench", "--rivals"] => bench::bench(true),
        ["bench", "--app", words @ ..] => bench::bench_app(words),
        ["compat", names @ ..] => compat::compat(names),
        ["licences"] => licences::write(),
        ["bindings"] => test::write_bindings(),
        ["help" | "--help" | "-h"] => {
            proc::say(USAGE);
            return ExitCode::SUCCESS;
        }
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            proc::say(&message);
            ExitCode::FAILURE
        }
    }
}
