//! Processes of a server: one that listens, and whatever is left of one that was closed. Reads `/proc`: Linux only.

use std::fs::{self, File};
use std::net::TcpStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::place::Place;
use super::table::Server;
use crate::proc::{command, output};

/// Every process that descends from a row carries this variable, wherever it moves to.
pub(super) const MARK: &str = "FRAMESCOPE_COMPAT";

/// How long a server may take until it listens.
const STEPS: u32 = 1200;
const STEP: Duration = Duration::from_millis(50);

/// A process that should be gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Left {
    pub(super) pid: u32,
    pub(super) words: String,
    /// Its process group. The one that a connection makes has the number of the process that it starts.
    pub(super) group: Option<u32>,
}

/// A server that listens, ended with this value.
#[derive(Debug)]
pub(super) struct Listening {
    child: Child,
}

impl Listening {
    /// Starts it and waits until its port answers; what it prints goes to `log`.
    pub(super) fn start(
        server: &Server,
        place: &Place,
        mark: &str,
        log: &Path,
    ) -> Result<Self, String> {
        let words = place.words(&server.start);
        let failed = |error| format!("cannot start `{}`: {error}", words.join(" "));
        let out = File::create(log).map_err(failed)?;
        let err = out.try_clone().map_err(failed)?;
        let mut command = Command::new(&words[0]);
        command
            .args(&words[1..])
            .current_dir(place.scratch())
            .stdin(Stdio::piped())
            .stdout(out)
            .stderr(err)
            .process_group(0);
        environment(&mut command, server, place);
        command.env(MARK, mark);
        let mut listening = Self {
            child: command.spawn().map_err(failed)?,
        };
        for _ in 0..STEPS {
            if TcpStream::connect(("127.0.0.1", place.port())).is_ok() {
                return Ok(listening);
            }
            if let Ok(Some(status)) = listening.child.try_wait() {
                return Err(format!(
                    "it ended ({status}) before it listened; see {}",
                    log.display()
                ));
            }
            sleep(STEP);
        }
        Err(format!(
            "it does not listen on its port; see {}",
            log.display()
        ))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        kill(&format!("-{}", self.child.id()));
        // It fails only where the server has ended already.
        let _ = self.child.wait();
    }
}

/// The variables of the table, and homes and caches of our own.
pub(super) fn environment(command: &mut Command, server: &Server, place: &Place) {
    command
        .env("HOME", place.scratch().join("home"))
        .env("npm_config_cache", super::place::home().join("npm-cache"))
        .env("npm_config_update_notifier", "false")
        .env("UV_CACHE_DIR", super::place::home().join("uv-cache"))
        .env("PORT", place.port().to_string())
        .envs(
            server
                .env
                .iter()
                .map(|(name, value)| (name, place.fill(value))),
        );
}

impl Left {
    /// Its program and arguments without folders, options and interpreters: `main.js`, `npm config get registry`.
    pub(super) fn short(&self) -> String {
        let words = self
            .words
            .split(' ')
            .map(|word| word.rsplit('/').next().unwrap_or(word));
        let plain = words.filter(|word| {
            !word.starts_with('-') && !["node", "sh", "python", "python3"].contains(word)
        });
        plain.collect::<Vec<_>>().join(" ")
    }
}

/// Waits until none of these processes is left, but no longer than `steps`; those that are.
pub(super) fn outlive(mut all: Vec<Left>, mark: &str, steps: u32) -> Vec<Left> {
    for _ in 0..steps {
        if all.is_empty() {
            break;
        }
        sleep(STEP);
        let now = left(mark);
        all.retain(|process| now.iter().any(|one| one.pid == process.pid));
    }
    all
}

/// The marked processes.
pub(super) fn left(mark: &str) -> Vec<Left> {
    let Ok(processes) = fs::read_dir("/proc") else {
        return vec![];
    };
    let wanted = format!("{MARK}={mark}");
    let pids = processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter_map(|pid| {
        let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
        let marked = environment
            .split(|&byte| byte == 0)
            .any(|one| one == wanted.as_bytes());
        let words = fs::read_to_string(format!("/proc/{pid}/cmdline")).ok()?;
        // A process that ended and was not yet asked for its exit code has no command line.
        (marked && !words.is_empty()).then(|| Left {
            pid,
            words: words.replace('\0', " ").trim().to_owned(),
            group: group_of(pid),
        })
    })
    .collect()
}

fn group_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // Its second field is a name in parentheses that may hold anything; the group is the third one after it.
    stat.rsplit_once(')')?
        .1
        .split_whitespace()
        .nth(2)?
        .parse()
        .ok()
}

/// Ends what a row left, by its own number or that of its group.
pub(super) fn kill(target: &str) {
    let _ = output("kill", &["-KILL", "--", target]);
}

/// The command line tool on this row, with a bound on its whole time.
pub(super) fn bounded(program: &str, args: &[&str]) -> Command {
    let words = ["--signal=KILL", "240", program];
    command("timeout", &[&words[..], args].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_named_shortly() {
        for (words, expected) in [
            ("/usr/bin/node /a/b/main.js --parent-pid=7", "main.js"),
            (
                "node /usr/bin/npm config get registry",
                "npm config get registry",
            ),
            ("sleep 60", "sleep 60"),
        ] {
            let left = Left {
                pid: 1,
                words: words.to_owned(),
                group: None,
            };
            assert_eq!(left.short(), expected);
        }
    }
}
