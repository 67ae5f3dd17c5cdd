//! Commands of the build: run, and say what failed and what to do.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What an entry point says on failure: one message for a person.
pub(crate) type Outcome = Result<(), String>;

/// The repository.
pub(crate) fn root() -> PathBuf {
    let mut path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    path.pop();
    path.pop();
    path
}

/// A command that runs in the repository.
pub(crate) fn command(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    command
}

/// The same cargo that runs this program.
pub(crate) fn cargo(args: &[&str]) -> Command {
    command(
        &std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()),
        args,
    )
}

/// Prints a line. A closed output is no reason to fail.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Runs a command with its output shown.
pub(crate) fn exec(command: &mut Command) -> Outcome {
    let shown = shown(command);
    say(&format!("$ {shown}"));
    let status = command
        .status()
        .map_err(|error| format!("cannot start `{shown}`: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{shown}` failed: {status}"))
    }
}

/// Runs a command with its output shown, and hands over each line of its standard output.
pub(crate) fn run_lines(command: &mut Command, mut on_line: impl FnMut(&str)) -> Outcome {
    let shown = shown(command);
    say(&format!("$ {shown}"));
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start `{shown}`: {error}"))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line =
                line.map_err(|error| format!("cannot read the output of `{shown}`: {error}"))?;
            let line = String::from_utf8_lossy(&line);
            say(&line);
            on_line(&line);
        }
    }
    let status = child
        .wait()
        .map_err(|error| format!("cannot wait for `{shown}`: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{shown}` failed: {status}"))
    }
}

/// Standard output of a command, or `None` where it cannot be started or fails.
pub(crate) fn output(program: &str, args: &[&str]) -> Option<String> {
    let output = command(program, args).stderr(Stdio::null()).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}
