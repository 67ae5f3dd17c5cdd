//! Runs `framescope-cli` as a person or a script does.

use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::AsyncReadExt;

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
        to_its_end(self.command(args))
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

/// How long a run may take: many times what the longest needs on a loaded machine.
const BOUND: Duration = Duration::from_secs(240);

/// Runs a command to its end.
///
/// # Panics
/// With all that it printed, where it cannot be started, or does not end within four minutes; it is killed then.
pub fn to_its_end(command: Command) -> Run {
    // A thread of its own, since a test may run on a runtime already.
    let ended = std::thread::spawn(|| bounded(command)).join();
    ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn bounded(command: Command) -> Run {
    let shown = format!("{command:?}");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap_or_else(|error| panic!("no runtime: {error}"));
    runtime.block_on(async {
        let mut child = tokio::process::Command::from(command)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {shown}: {error}"));
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let (Some(mut out), Some(mut err)) = (out, err) else {
            panic!("{shown} has no output")
        };
        let (mut stdout, mut stderr) = (vec![], vec![]);
        let all = async {
            let read = async {
                tokio::try_join!(out.read_to_end(&mut stdout), err.read_to_end(&mut stderr))
            };
            let (status, read) = tokio::join!(child.wait(), read);
            read.and(status)
        };
        let status = tokio::time::timeout(BOUND, all).await;
        let stderr = String::from_utf8_lossy(&stderr).into_owned();
        let printed = String::from_utf8_lossy(&stdout);
        match status {
            Ok(Ok(status)) => Run {
                code: code(status),
                stdout,
                stderr,
            },
            Ok(Err(error)) => panic!("cannot wait for {shown}: {error}"),
            Err(_) => {
                panic!("{shown} did not end within {BOUND:?}; stdout: {printed}\nstderr: {stderr}")
            }
        }
    })
}

fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status).unwrap_or(0);
    #[cfg(not(unix))]
    let signal = 0;
    status.code().unwrap_or(128 + signal)
}
