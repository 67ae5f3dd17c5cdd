//! A test peer that misbehaves on purpose: raw bytes, no SDK. Each scenario is a script; the tables hold all of them.
//!
//! ```text
//! fault-server                                       lists the scenarios
//! fault-server [OPTIONS] stdio SCENARIO [ARGUMENT]
//! fault-server [OPTIONS] http SCENARIO [ARGUMENT]    prints its URL on stdout
//!
//! --wrote FILE   appends there each byte that it writes to its stdout; http: FILE.N, the entity of answer N
//! --read FILE    appends there each byte that it reads from its stdin; http: a JSON line for each request
//! ```

mod handshake;
mod http;
mod message;
mod peer;
mod stdio;
mod step;

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the scenario that the arguments name.
pub fn main(args: &[String]) -> io::Result<ExitCode> {
    let mut words = args.iter();
    let mut wrote = None;
    let mut read = None;
    let mut rest = Vec::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--wrote" => wrote = words.next().map(PathBuf::from),
            "--read" => read = words.next().map(append).transpose()?,
            word => rest.push(word),
        }
    }
    match rest.as_slice() {
        ["stdio", name, argument @ ..] => {
            let scenario = stdio::scenarios().find(|s| s.name == *name);
            let scenario = scenario.ok_or_else(|| unknown(name))?;
            let steps = (scenario.script)(Argument(argument.first().copied()));
            let wrote = wrote.map(append).transpose()?;
            let files = peer::Files { wrote, read };
            peer::Peer::new(scenario, files)?.run(&steps)
        }
        ["http", name, argument @ ..] => {
            let scenario = http::scenarios().find(|s| s.name == *name);
            let scenario = scenario.ok_or_else(|| unknown(name))?;
            let argument = Argument(argument.first().copied());
            http::serve(scenario, argument, wrote, read)
        }
        [] => list().map(|()| ExitCode::SUCCESS),
        [word, ..] => Err(unknown(word)),
    }
}

/// Opens a file to write behind what is there: a server that is started again goes on where the first one ended.
fn append(path: impl AsRef<Path>) -> io::Result<File> {
    File::options().append(true).create(true).open(path)
}

fn unknown(word: &str) -> io::Error {
    let text = format!("no scenario {word:?}; `fault-server` alone lists them");
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

fn list() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for scenario in stdio::scenarios() {
        writeln!(out, "stdio {:<22} {}", scenario.name, scenario.about)?;
    }
    for scenario in http::scenarios() {
        writeln!(out, "http  {:<22} {}", scenario.name, scenario.about)?;
    }
    Ok(())
}

/// The argument of a scenario: a count, a size, an exit code or a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument<'a>(Option<&'a str>);

impl Argument<'_> {
    /// As a number, where it is one.
    fn number(self, default: u64) -> u64 {
        self.0.and_then(|text| text.parse().ok()).unwrap_or(default)
    }

    /// As text.
    fn text(self, default: &str) -> String {
        self.0.unwrap_or(default).to_owned()
    }
}
