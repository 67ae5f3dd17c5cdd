//! Runs `framescope-cli` as a person or a script does.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::peers::program;

/// What a run of the command line tool gave.
#[derive(Debug)]
pub struct Run {
    /// Its exit code; 128 + n where signal n ended it.
    pub code: i32,
    /// Standard output, as bytes.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    /// Standard output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// The same, once it is known that the exit code is the expected one.
    pub fn expect(&self, code: i32) -> String {
        assert_eq!(
            self.code,
            code,
            "exit code; stdout: {}\nstderr: {}",
            self.text(),
            self.stderr
        );
        self.text()
    }
}

/// The command line tool on a data folder.
#[derive(Debug)]
pub struct Cli<'a> {
    program: std::path::PathBuf,
    data: &'a Path,
}

impl<'a> Cli<'a> {
    /// `None`, loudly, where it is not built.
    pub fn on(data: &'a Path) -> Option<Self> {
        Some(Self {
            program: program("framescope-cli")?,
            data,
        })
    }

    /// A run that is not started yet.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(args)
            .env("FRAMESCOPE_DATA_DIR", self.data)
            .stdin(Stdio::null());
        command
    }

    /// Runs to the end.
    pub fn run(&self, args: &[&str]) -> Run {
        let output = self
            .command(args)
            .output()
            .unwrap_or_else(|error| panic!("cannot start the cli: {error}"));
        finished(output)
    }

    /// Runs with the server's command line at the end, after `--`.
    pub fn on_server(&self, args: &[&str], server: &[String]) -> Run {
        let words: Vec<&str> = args
            .iter()
            .copied()
            .chain(["--"])
            .chain(server.iter().map(String::as_str))
            .collect();
        self.run(&words)
    }

    /// The command line of the built-in demo server.
    pub fn demo_server(&self) -> Vec<String> {
        vec![
            self.program.to_string_lossy().into_owned(),
            "demo-server".into(),
        ]
    }
}

/// The outcome of a process that ended.
pub fn finished(output: Output) -> Run {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&output.status).unwrap_or(0);
    #[cfg(not(unix))]
    let signal = 0;
    Run {
        code: output.status.code().unwrap_or(128 + signal),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
