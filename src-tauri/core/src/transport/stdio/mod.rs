//! A child process speaking over its standard streams (basic/transports/stdio).
//!
//! Four tasks: stdout, stderr, stdin and the one that sees the process end. The process gets its own group, so that
//! nothing it started outlives it.

mod login_path;
mod lookup;
mod pipe;
mod process;
mod stderr;
mod stdin;
mod stdout;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::{mpsc, watch};

use super::writer::Desk;
use super::{Session, TransportError, Wire, Writer};
use crate::protocol::ServerConfig;
use crate::record::{Event, Opened};
pub use lookup::Found;

/// Frames that may wait for the receiver of the wire.
const INBOUND: usize = 64;

/// What to start.
#[derive(Debug)]
pub(super) struct Command<'a> {
    pub(super) command: &'a str,
    pub(super) args: &'a [String],
    pub(super) env: &'a BTreeMap<String, String>,
    pub(super) cwd: Option<&'a Path>,
}

/// The file that a server's command names, found as starting it would; nothing is started. Over HTTP there is none.
///
/// # Errors
/// Where it cannot be found or started.
pub async fn locate(config: &ServerConfig) -> Option<Result<Found, TransportError>> {
    let ServerConfig::Stdio {
        command,
        args,
        env,
        cwd,
    } = config
    else {
        return None;
    };
    let command = Command {
        command,
        args,
        env,
        cwd: cwd.as_deref(),
    };
    Some(lookup::find(&command, login(&command).await.as_deref()))
}

/// The path of the login shell, where the server's environment sets none.
async fn login(command: &Command<'_>) -> Option<String> {
    if command.env.contains_key("PATH") {
        return None;
    }
    login_path::get().await
}

/// The streams of a child.
struct Streams {
    stdin: ChildStdin,
    stdout: ChildStdout,
    stderr: ChildStderr,
}

/// Starts the child, logs `Opened`, and starts the tasks of the wire.
pub(super) async fn open(command: &Command<'_>, session: Session) -> Result<Wire, TransportError> {
    let found = lookup::find(command, login(command).await.as_deref())?;
    let (child, streams) = spawn(command, &found)?;
    let started = tokio::time::Instant::now();
    // Dropped, also half-way, it ends the child and all that it started.
    let group = process::Group::of(&child);
    let opened = Event::Opened(opened(command, found, &child));
    session.tap.event(session.conn, opened, None, None).await?;

    let (writer, jobs, switch) = Writer::new();
    let (inbound, receiver) = mpsc::channel(INBOUND);
    let (alive, is_alive) = watch::channel(false);
    let ends = process::Ends::default();
    let tail = stderr::Tail::default();
    let spawn = &session.tasks;
    let stdout = spawn.spawn(stdout::read(
        streams.stdout,
        stdout::To {
            session: session.clone(),
            inbound: inbound.clone(),
            alive: alive.clone(),
            switch: switch.clone(),
        },
        ends.drain.clone(),
    ));
    let stderr = spawn.spawn(stderr::read(
        streams.stderr,
        stderr::To {
            session: session.clone(),
            tail: tail.clone(),
            alive,
            switch: switch.clone(),
        },
        ends.drain.clone(),
    ));
    let stop = ends.stop_writing.clone();
    let to = stdin::To {
        session: session.clone(),
        inbound: inbound.clone(),
        switch: switch.clone(),
    };
    let desk = Arc::new(Desk::new(stdin::Input::new(
        streams.stdin,
        to,
        stop.clone(),
    )));
    let writer = writer.with(&desk);
    let stdin = spawn.spawn(stdin::write(desk, jobs, stop));
    let tasks = process::Tasks {
        stdout,
        stderr,
        stdin,
    };
    let watched = process::Watched {
        child,
        group,
        tasks,
        ends,
        switch,
        tail,
        inbound,
        session: session.clone(),
        started,
    };
    session.tasks.spawn(watched.until_gone());
    Ok(Wire {
        writer,
        inbound: receiver,
        alive: is_alive,
    })
}

/// Why the system did not start a file that is there and may be executed.
fn refusal(error: &std::io::Error) -> String {
    // ENOEXEC has no kind of its own.
    let no_program = cfg!(unix) && error.raw_os_error() == Some(8);
    if no_program {
        "it is neither a program for this machine nor a script with a first line (#!) that names one".to_owned()
    } else if error.kind() == std::io::ErrorKind::NotFound {
        "the interpreter that its first line (#!) names does not exist".to_owned()
    } else {
        error.to_string()
    }
}

fn spawn(command: &Command<'_>, found: &Found) -> Result<(Child, Streams), TransportError> {
    let refused = |why: String| TransportError::Spawn {
        executable: found.executable.display().to_string(),
        why,
    };
    let mut builder = std::process::Command::new(&found.executable);
    builder
        .args(command.args)
        .env("PATH", &found.path)
        .envs(command.env)
        .current_dir(&found.cwd);
    builder
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // The word that was typed, as a shell hands it over: some programs act by it.
        builder.arg0(command.command).process_group(0);
    }
    let mut child = tokio::process::Command::from(builder)
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| refused(refusal(&error)))?;
    match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(stdin), Some(stdout), Some(stderr)) => Ok((
            child,
            Streams {
                stdin,
                stdout,
                stderr,
            },
        )),
        (_, _, _) => Err(refused("its streams could not be opened".to_owned())),
    }
}

fn opened(command: &Command<'_>, found: Found, child: &Child) -> Opened {
    Opened::Stdio {
        executable: found.executable.display().to_string(),
        argv: std::iter::once(command.command.to_owned())
            .chain(command.args.iter().cloned())
            .collect(),
        cwd: found.cwd.display().to_string(),
        path: found.path,
        path_source: found.path_source,
        env: command.env.keys().cloned().collect(),
        pid: child.id().unwrap_or_default(),
    }
}
